import type { Sample } from '../../../data/shards/sample.js';

/**
 * Greatest distance between policies of one position from two processors. Their evaluations differ by up to 2e-5, which
 * changes a search only if two moves are equally good.
 */
const MOST_POLICY_DIFFERENCE = 0.1;
const MOST_VALUE_DIFFERENCE = 0.05;

/** Share of rows that must be alike; the rest allows for positions with equally good moves. */
const LEAST_SHARE = 0.9;

/** The total variation distance: half the sum of the absolute differences, in [0, 1]. */
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

/** Compares rows of games that two processors have played with the same moves. */
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

  /** The result as part of a message. */
  get summary(): string {
    return `${this.rows - this.alike} of ${this.rows} positions differ when they are searched again`;
  }
}
