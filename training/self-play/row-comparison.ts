import type { Sample } from '../../data/shards/sample.js';

/**
 * How far a row may be from that of another processor. Evaluations differ by up to 2e-5, which moves a search only where two
 * moves are as good as each other.
 */
const MOST_POLICY_DIFFERENCE = 0.1;
const MOST_VALUE_DIFFERENCE = 0.05;

/** Share of the rows that must be alike: where two moves are equally good, the searches differ more. */
const LEAST_SHARE = 0.9;

/** Half of the sum of the absolute differences, in [0, 1]. */
function distance(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + Math.abs(value - right[index]!), 0) / 2;
}

function hasEqualEnds({ finalPosition: left }: Sample, { finalPosition: right }: Sample): boolean {
  return left === null || right === null ? left === right : Buffer.compare(left, right) === 0;
}

function isAlike(left: Sample, right: Sample): boolean {
  const hasValues = left.rootValue !== null && right.rootValue !== null;
  return (
    Buffer.compare(left.position, right.position) === 0 &&
    hasEqualEnds(left, right) &&
    left.actions.join() === right.actions.join() &&
    left.searchSize === right.searchSize &&
    left.policyWeight === right.policyWeight &&
    left.result === right.result &&
    distance(left.policy, right.policy) <= MOST_POLICY_DIFFERENCE &&
    (hasValues
      ? Math.abs(left.rootValue - right.rootValue) <= MOST_VALUE_DIFFERENCE
      : left.rootValue === right.rootValue)
  );
}

/** Rows of games, as two processors have played them with the same moves. */
export class RowComparison {
  private rows = 0;
  private alike = 0;

  /** Compares the rows of a game, ply by ply. */
  add(sent: readonly Sample[], own: readonly Sample[]): void {
    const byPly = new Map(own.map((row) => [row.ply, row]));
    this.rows += Math.max(sent.length, own.length);
    for (const row of sent) {
      const other = byPly.get(row.ply);
      if (other !== undefined && isAlike(row, other)) this.alike += 1;
    }
  }

  /** Whether nearly all rows are alike. */
  get isAlike(): boolean {
    return this.alike >= LEAST_SHARE * this.rows;
  }

  /** The result in words. */
  get summary(): string {
    return `${this.rows - this.alike} of ${this.rows} positions that are others when they are searched again`;
  }
}
