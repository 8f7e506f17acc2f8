import { parseJsonText } from '../../env/text/json-text.js';

const KEY = 'gess-solved-problems';

function kept(): readonly string[] {
  try {
    const found = parseJsonText(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(found) ? found.filter((text) => typeof text === 'string') : [];
  } catch {
    // Nothing, or nothing that can be read.
    return [];
  }
}

/** The problems that were solved in this browser, by their positions. */
export class SolvedProblems {
  private positions = $state.raw<ReadonlySet<string>>(new Set(kept()));

  /** How many were solved. */
  get count(): number {
    return this.positions.size;
  }

  /** Index of the first of these positions that was not solved; 0 if all were. */
  firstUnsolved(positions: readonly string[]): number {
    return Math.max(
      0,
      positions.findIndex((position) => !this.positions.has(position)),
    );
  }

  /** Keeps that a problem was solved. */
  add(position: string): void {
    this.positions = new Set([...this.positions, position]);
    try {
      localStorage.setItem(KEY, JSON.stringify([...this.positions]));
    } catch {
      // A browser may refuse to keep anything.
    }
  }
}
