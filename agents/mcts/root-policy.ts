import type { Action } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import type { RootStatistics } from './root-statistics.js';
import { PROVEN_LOSS, PROVEN_WIN } from './search-tree.js';

/**
 * Writes what the search would play, as a distribution over `root.actions`: the shares of the visits, where a
 * proven win takes all and a proven loss nothing while there is anything else; the priors when nothing was
 * visited.
 *
 * @param out `[count]` or longer; sums to 1.
 */
export function visitPolicy(root: RootStatistics, out: Float32Array): void {
  const { count, visits, proofs, priors } = root;
  let wins = 0;
  let sum = 0;
  let allVisits = 0;
  for (let i = 0; i < count; i++) {
    if (proofs[i] === PROVEN_WIN) wins += 1;
    if (proofs[i] !== PROVEN_LOSS) sum += visits[i]!;
    allVisits += visits[i]!;
  }
  for (let i = 0; i < count; i++) {
    if (wins > 0) out[i] = proofs[i] === PROVEN_WIN ? 1 / wins : 0;
    else if (sum > 0) out[i] = proofs[i] === PROVEN_LOSS ? 0 : visits[i]! / sum;
    else if (allVisits > 0) out[i] = visits[i]! / allVisits;
    else out[i] = priors[i]!;
  }
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

/**
 * Chooses the action to play.
 *
 * @param policy `[count]` what `visitPolicy` wrote.
 * @param temperature 0: the most probable; else drawn with weights `policy ** (1 / temperature)`.
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
  const weight = (i: number): number => (policy[i]! / policy[best]!) ** (1 / temperature);
  let sum = 0;
  for (let i = 0; i < root.count; i++) sum += weight(i);
  let left = rng.float() * sum;
  for (let i = 0; i < root.count; i++) {
    left -= weight(i);
    if (left < 0 && policy[i]! > 0) return root.actions[i]!;
  }
  return root.actions[best]!;
}
