import type { Action } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import type { RootStatistics } from './root-statistics.js';
import { isPlayable, PROVEN_LOSS, PROVEN_WIN, type Proof, UNPROVEN } from './proof.js';
import { power } from '../evaluators/power.js';

/** The proven result of the root, to its mover; `UNPROVEN` for a draw, which excludes no move. */
function rootProofOf({ count, proofs }: RootStatistics): Proof {
  const known = proofs.subarray(0, count);
  if (known.includes(PROVEN_WIN)) return PROVEN_WIN;
  return known.every((proof) => proof === PROVEN_LOSS) ? PROVEN_LOSS : UNPROVEN;
}

/** Normalizes the `weights` of the actions for which `isAmong` is true; returns whether their sum is positive. */
function writeShares(
  { count }: RootStatistics,
  weights: ArrayLike<number>,
  isAmong: (index: number) => boolean,
  out: Float32Array,
): boolean {
  let sum = 0;
  for (let i = 0; i < count; i++) if (isAmong(i)) sum += weights[i]!;
  if (sum === 0) return false;
  for (let i = 0; i < count; i++) out[i] = isAmong(i) ? weights[i]! / sum : 0;
  return true;
}

/**
 * Writes the policy of the search, a distribution over `root.actions`: the shares of the visits, or the priors if no
 * action was visited or only proven losses were. A proven win gets all probability; a proven loss none unless all moves
 * are proven losses.
 *
 * @param out `[count]` or longer; sums to 1.
 */
export function visitPolicy(root: RootStatistics, out: Float32Array): void {
  const { count, visits, proofs, priors } = root;
  const proof = rootProofOf(root);
  const isAmong = (index: number): boolean => isPlayable(proofs[index] as Proof, proof);
  // All wins are equal, however often they were visited.
  if (proof !== PROVEN_WIN && writeShares(root, visits, isAmong, out)) return;
  if (proof !== PROVEN_WIN && writeShares(root, priors, isAmong, out)) return;
  writeShares(root, new Uint8Array(count).fill(1), isAmong, out);
}

/** Index of the greatest entry; ties go to the higher `qValues`, then to the first. */
function greatest(root: RootStatistics, policy: Float32Array): number {
  let best = 0;
  for (let i = 1; i < root.count; i++) {
    const ahead = policy[i]! - policy[best]!;
    if (ahead > 0 || (ahead === 0 && root.qValues[i]! > root.qValues[best]!)) best = i;
  }
  return best;
}

/** Weight of a probability at a temperature above 0, `probability ** (1 / temperature)`; 1 for the greatest one. */
export function temperedWeight(probability: number, greatest: number, temperature: number): number {
  return power(probability / greatest, 1 / temperature);
}

/**
 * Chooses the action to play.
 *
 * @param policy `[count]` as written by `visitPolicy`.
 * @param temperature 0: the most probable; else sampled by `temperedWeight`.
 * @see Silver et al. 2017, "Mastering the game of Go without human knowledge", Methods, "Play".
 */
export function selectAction(
  root: RootStatistics,
  policy: Float32Array,
  temperature: number,
  rng: Rng,
): Action {
  const best = greatest(root, policy);
  if (temperature === 0) return root.actions[best]!;
  const weight = (i: number): number => temperedWeight(policy[i]!, policy[best]!, temperature);
  let sum = 0;
  for (let i = 0; i < root.count; i++) sum += weight(i);
  let left = rng.float() * sum;
  for (let i = 0; i < root.count; i++) {
    left -= weight(i);
    if (left < 0 && policy[i]! > 0) return root.actions[i]!;
  }
  return root.actions[best]!;
}
