import type { RowContent } from '../../data/shards/shard-columns.js';
import type { Game, Player, Symmetry } from '../../env/game.js';
import type { PolicyColumns } from './training-batch.js';

/** A policy over legal actions. */
export type PolicyTarget = Pick<RowContent, 'actions' | 'policy'>;

/** Where a policy goes, and how it is seen. */
export interface PolicyPlace {
  /** In the batch. */
  readonly row: number;
  /** Whose view of the board the network has. */
  readonly player: Player;
  readonly symmetry: Symmetry;
}

/**
 * Writes a policy to a row, by policy index; the row's weight is left to the caller.
 *
 * @param out reset, with room for the actions.
 */
export function writePolicyTarget<State>(
  game: Game<State>,
  out: Omit<PolicyColumns, 'weights'>,
  { row, player, symmetry }: PolicyPlace,
  { actions, policy }: PolicyTarget,
): void {
  const { policyIndices } = symmetry;
  const start = row * out.width;
  for (let i = 0; i < actions.length; i++) {
    out.legal[start + i] = policyIndices[game.policyIndex(player, actions[i]!)]!;
    out.policy[start + i] = policy[i]!;
    out.padding[start + i] = 0;
  }
}
