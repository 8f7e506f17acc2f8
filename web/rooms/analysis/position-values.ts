import type { Player } from '../../../env/game.js';
import type { NodeId } from '../../../session/game-tree.js';
import { judge, type Judgement } from '../../../session/judgement.js';
import type { EngineThought } from '../../engine/messages.js';

/** Values of positions in [-1, 1] to player 0, by their nodes. */
export type PositionValues = ReadonlyMap<NodeId, number>;

/** A value to the player to move, as one to player 0. */
export function valueToFirst(value: number, player: Player): number {
  return player === 0 ? value : 0 - value;
}

/** The value of a thought to player 0, in [-1, 1]; undefined if its agent does not evaluate. */
export function thoughtValue({ candidates }: EngineThought, player: Player): number | undefined {
  const value = candidates[0]?.value;
  return value === undefined ? undefined : valueToFirst(value, player);
}

/** Win probability, 0..1, of a value in [-1, 1]. */
export function winShare(value: number): number {
  return (value + 1) / 2;
}

/** The judgements of the bad moves of a line, by their nodes. */
export function mistakesOf(
  line: readonly NodeId[],
  values: PositionValues,
  moverOf: (node: NodeId) => Player,
): ReadonlyMap<NodeId, Judgement> {
  const found = new Map<NodeId, Judgement>();
  for (const [index, node] of line.entries()) {
    const [before, after] = [values.get(line[index - 1] ?? -1), values.get(node)];
    if (before === undefined || after === undefined) continue;
    const mover = moverOf(node);
    const judgement = judge(valueToFirst(before, mover) - valueToFirst(after, mover));
    if (judgement !== null) found.set(node, judgement);
  }
  return found;
}
