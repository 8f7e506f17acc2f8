import type { EqualRows } from '../../data/datasets/equal-rows.js';
import type { ReplayWindow } from '../../data/datasets/replay-window.js';
import { writeOutcomeTarget } from '../network/heads/outcome-head.js';
import type { MergedTarget } from '../network/heads/placed-row.js';

/** Bytes of merged targets that are kept. */
const CACHE_BYTES = 64 * 2 ** 20;
/** Bytes of a target beside its policy, about. */
const TARGET_BYTES = 256;

/**
 * Policies and values of equal rows as their means: whichever of the rows is drawn, the same is learnt. Each row counts as
 * often as it is drawn and by its own weight, and the mean weight is the target's, so over many draws the gradient is
 * what it was without merging; it only varies less.
 *
 * @see AlphaZero.jl's `use_position_averaging`, with weights in proportion to the number of samples.
 */
export class MergedTargets {
  private readonly window: ReplayWindow;
  private readonly rows: EqualRows;
  private readonly valueMix: number;
  private readonly cacheBytes: number;
  /** By the first of the equal rows; the one used last is the last. */
  private readonly cache = new Map<number, MergedTarget>();
  private bytes = 0;

  /** @param cacheBytes what is beyond is merged again when it is drawn; the targets do not depend on it. */
  constructor(window: ReplayWindow, rows: EqualRows, valueMix: number, cacheBytes = CACHE_BYTES) {
    this.window = window;
    this.rows = rows;
    this.valueMix = valueMix;
    this.cacheBytes = cacheBytes;
  }

  /** Rows that are learnt together with others. */
  get count(): number {
    return this.rows.count;
  }

  /** What to learn from `row`; null: its own policy and value, since no other is equal. */
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
    // Rows that are never drawn count alike.
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
  /** Without the weights: what counts where all weights are 0. */
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
