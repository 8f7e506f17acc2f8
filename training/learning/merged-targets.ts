import type { EqualRows } from '../../data/datasets/equal-rows.js';
import type { ReplayWindow } from '../../data/datasets/replay-window.js';
import { writeOutcomeTarget } from '../network/heads/outcome-head.js';
import type { MergedTarget } from '../network/heads/placed-row.js';

/** Bytes of merged targets in the cache. */
const CACHE_BYTES = 64 * 2 ** 20;
/** Approximate bytes of a target without its policy. */
const TARGET_BYTES = 256;

/**
 * Means of the policies and values of equal rows, used as the targets of each of them. Each row counts in proportion to
 * its sampling probability and its own weight, and the target has their mean weight, so the expected gradient is the
 * same as without merging, with less variance.
 *
 * @see AlphaZero.jl's `use_position_averaging`, with weights in proportion to the number of samples.
 */
export class MergedTargets {
  private readonly window: ReplayWindow;
  private readonly rows: EqualRows;
  private readonly valueMix: number;
  private readonly cacheBytes: number;
  /** By the first of the equal rows; least recently used first. */
  private readonly cache = new Map<number, MergedTarget>();
  private bytes = 0;

  /** @param cacheBytes size of the cache; evicted targets are merged again when needed. */
  constructor(window: ReplayWindow, rows: EqualRows, valueMix: number, cacheBytes = CACHE_BYTES) {
    this.window = window;
    this.rows = rows;
    this.valueMix = valueMix;
    this.cacheBytes = cacheBytes;
  }

  /** Number of rows that have equal ones. */
  get count(): number {
    return this.rows.count;
  }

  /** The merged target of `row`; null if no other row is equal, so that its own policy and value are learnt. */
  of(row: number): MergedTarget | null {
    const equal = this.rows.equals(row);
    if (equal === null) return null;
    const first = equal[0]!;
    const target = this.cache.get(first) ?? this.merge(equal);
    if (this.cache.delete(first)) this.bytes -= sizeOf(target);
    this.cache.set(first, target);
    this.bytes += sizeOf(target);
    for (const [oldest, unused] of this.cache) {
      if (this.bytes <= this.cacheBytes) break;
      this.cache.delete(oldest);
      this.bytes -= sizeOf(unused);
    }
    return target;
  }

  private merge(equal: Uint32Array): MergedTarget {
    const { window } = this;
    const { columns: firstColumns } = window.shard(equal[0]!);
    const at = window.index(equal[0]!);
    const policy = new WeightedMean(firstColumns.actionStart[at + 1]! - firstColumns.actionStart[at]!);
    const outcome = new WeightedMean(3);
    const own = new Float32Array(3);
    const chances = Array.from(equal, (row) => window.chanceOf(row));
    // Rows that are never sampled count equally.
    const isDrawn = chances.some((chance) => chance > 0);
    for (const [i, row] of equal.entries()) {
      const { columns, content } = window.shard(row);
      const index = window.index(row);
      const chance = isDrawn ? chances[i]! : 1;
      policy.add(content(index).policy, columns.policyWeights[index]!, chance);
      const target = { result: columns.results[index]!, rootValue: columns.rootValues[index]! };
      const weight = writeOutcomeTarget(target, this.valueMix, own);
      outcome.add(own, weight, chance);
    }
    return {
      policy: policy.mean(),
      policyWeight: policy.weight(),
      outcome: outcome.mean(),
      outcomeWeight: outcome.weight(),
    };
  }
}

function sizeOf({ policy }: MergedTarget): number {
  return policy.byteLength + TARGET_BYTES;
}

/** The mean of distributions by weight and chance, and the mean of the weights by chance. */
class WeightedMean {
  private readonly weighted: Float64Array;
  /** Unweighted sums, for the case that all weights are 0. */
  private readonly plain: Float64Array;
  private weights = 0;
  private chances = 0;

  constructor(length: number) {
    this.weighted = new Float64Array(length);
    this.plain = new Float64Array(length);
  }

  add(values: Float32Array, weight: number, chance: number): void {
    for (const [i, value] of values.entries()) {
      this.weighted[i]! += weight * chance * value;
      this.plain[i]! += chance * value;
    }
    this.weights += weight * chance;
    this.chances += chance;
  }

  mean(): Float32Array {
    const { weighted, plain, weights, chances } = this;
    return weights > 0
      ? Float32Array.from(weighted, (sum) => sum / weights)
      : Float32Array.from(plain, (sum) => sum / chances);
  }

  weight(): number {
    return this.weights / this.chances;
  }
}
