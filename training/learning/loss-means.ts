import { z } from 'zod';
import type { LossSums } from '../network/network-loss.js';

/** A mean; null where no sample counts. */
const mean = z.number().nullable();

/** Means over samples. */
export const LearnerLosses = z.strictObject({
  /** Cross-entropy of the policy in nats, over rows with a policy to learn; null when there was none. */
  policyLoss: mean,
  /** Share of those rows whose most probable action is the target's, in [0, 1]. */
  policyAccuracy: mean,
  /** Entropy of the network's policy over the legal actions in nats, over the same rows. */
  policyEntropy: mean,
  /** Entropy of the policy to learn: the least that `policyLoss` can be. */
  targetEntropy: mean,
  /** Cross-entropy of win, draw and loss in nats, over rows whose value is known; null when there was none. */
  valueLoss: mean,
  /** Huber loss of the plies left, in units of `MOVES_LEFT_UNIT`; null here and below without such a head. */
  movesLeftLoss: mean,
  /** Cross-entropy of who holds a square at the end, in nats. */
  holdersLoss: mean,
  /** Cross-entropy of whether a square of a ring still is one some plies later, in nats. */
  ringsLoss: mean,
  /** Cross-entropy of the opponent's reply over its legal moves, in nats. */
  replyLoss: mean,
  /** Cross-entropy of the value that searches see some plies later, in nats. */
  shortTermLoss: mean,
});
export type LearnerLosses = z.infer<typeof LearnerLosses>;

/** Adds up the sums of batches. */
export class LossMeans {
  private readonly sums: Map<string, number>;

  /** @param from what another has added up, as its `totals`; nothing by default. */
  constructor(from: Readonly<Record<string, number>> = {}) {
    this.sums = new Map(Object.entries(from));
  }

  /** The sums so far, by name. */
  get totals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.sums);
  }

  /** Takes in a batch. */
  add(sums: LossSums): void {
    for (const [name, sum] of Object.entries(sums) as [keyof LossSums, number][]) {
      this.sums.set(name, this.sum(name) + sum);
    }
  }

  /** Means over all rows of all batches. */
  means(): LearnerLosses {
    return {
      policyLoss: this.mean('policyLoss', 'policyWeight'),
      policyAccuracy: this.mean('policyCorrect', 'policyWeight'),
      policyEntropy: this.mean('policyEntropy', 'policyWeight'),
      targetEntropy: this.mean('targetEntropy', 'policyWeight'),
      valueLoss: this.mean('valueLoss', 'valueWeight'),
      movesLeftLoss: this.mean('movesLeftLoss', 'movesLeftWeight'),
      holdersLoss: this.mean('holdersLoss', 'holdersWeight'),
      ringsLoss: this.mean('ringsLoss', 'ringsWeight'),
      replyLoss: this.mean('replyLoss', 'replyWeight'),
      shortTermLoss: this.mean('shortTermLoss', 'shortTermWeight'),
    };
  }

  private sum(name: keyof LossSums): number {
    return this.sums.get(name) ?? 0;
  }

  private mean(name: keyof LossSums, weight: keyof LossSums): number | null {
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
