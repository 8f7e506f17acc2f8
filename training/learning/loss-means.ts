import * as z from 'zod';
import {
  HEADS,
  measureNames,
  weightName,
  type MeasureName,
  type NamedHead,
  type SumName,
} from '../network/heads/head-table.js';
import type { LossSums } from './network-loss.js';

const ALL_HEADS: readonly NamedHead[] = HEADS;

/**
 * Means over samples, by the measures of the heads (head-table.ts); losses and entropies in nats. Null for heads that
 * the network lacks, and if no row had a target. Records of version 1.0.0 also have losses of retired heads, which are
 * ignored.
 */
export const LearnerLosses = z.object(
  Object.fromEntries(
    ALL_HEADS.flatMap(measureNames).map((name) => [name, z.number().nullable()]),
  ) as Readonly<Record<MeasureName, z.ZodNullable<z.ZodNumber>>>,
);
export type LearnerLosses = Readonly<z.infer<typeof LearnerLosses>>;

/** Accumulates the sums of batches. */
export class LossMeans {
  private readonly sums: Map<string, number>;

  /** @param from the `totals` of an earlier instance; empty by default. */
  constructor(from: Readonly<Record<string, number>> = {}) {
    this.sums = new Map(Object.entries(from));
  }

  /** The sums so far, by name. */
  get totals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.sums);
  }

  /** Adds a batch. */
  add(sums: LossSums): void {
    for (const [name, sum] of Object.entries(sums) as [SumName, number][]) {
      this.sums.set(name, this.sum(name) + sum);
    }
  }

  /** Means over all rows of all batches. */
  means(): LearnerLosses {
    const means = ALL_HEADS.flatMap((head) =>
      measureNames(head).map((name) => [name, this.mean(name, weightName(head))]),
    );
    return Object.fromEntries(means) as LearnerLosses;
  }

  private sum(name: SumName): number {
    return this.sums.get(name) ?? 0;
  }

  private mean(name: SumName, weight: SumName): number | null {
    const total = this.sum(weight);
    return total > 0 ? this.sum(name) / total : null;
  }
}

/** The means of one batch. */
export function meansOf(sums: LossSums): LearnerLosses {
  const means = new LossMeans();
  means.add(sums);
  return means.means();
}
