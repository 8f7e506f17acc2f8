const KEY = 'gess-solved-problems';

function kept(): readonly string[] {
  try {
    return (localStorage.getItem(KEY) ?? '').split('\n').filter((text) => text !== '');
  } catch {
    // A browser may refuse to store anything.
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

  /** Stores that a problem was solved. */
  add(position: string): void {
    this.positions = new Set([...this.positions, position]);
    try {
      localStorage.setItem(KEY, [...this.positions].join('\n'));
    } catch {
      // As above.
    }
  }
}
