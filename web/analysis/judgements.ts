import type { Player } from '../../env/game.js';
import type { NodeId } from '../../session/game-tree.js';
import type { EngineThought } from '../engine/messages.js';

/** Values of positions in [-1, 1] to player 0, by their nodes. */
export type Judgements = ReadonlyMap<NodeId, number>;

/** The severity of a bad move, by the win probability that it lost. */
export type Mistake = 'inaccuracy' | 'mistake' | 'blunder';

/** The least loss of each kind in win probability, the worst first. */
const LEAST_LOSS: readonly (readonly [Mistake, number])[] = [
  ['blunder', 0.3],
  ['mistake', 0.18],
  ['inaccuracy', 0.1],
];

/** The sign of each kind, as in chess. */
export const MISTAKE_SIGNS: Readonly<Record<Mistake, string>> = {
  inaccuracy: '?!',
  mistake: '?',
  blunder: '??',
};

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

/**
 * The severity of the move of `mover`.
 *
 * @param before value to player 0 before the move, and `after` it.
 * @returns null if the move was not bad.
 */
function mistakeOf(before: number, after: number, mover: Player): Mistake | null {
  const loss = winShare(valueToFirst(before, mover)) - winShare(valueToFirst(after, mover));
  return LEAST_LOSS.find(([, least]) => loss >= least)?.[0] ?? null;
}

/** The mistakes among the moves of a line, by their nodes. */
export function mistakesOf(
  line: readonly NodeId[],
  judgements: Judgements,
  moverOf: (node: NodeId) => Player,
): ReadonlyMap<NodeId, Mistake> {
  const found = new Map<NodeId, Mistake>();
  for (const [index, node] of line.entries()) {
    const [before, after] = [judgements.get(line[index - 1] ?? -1), judgements.get(node)];
    if (before === undefined || after === undefined) continue;
    const mistake = mistakeOf(before, after, moverOf(node));
    if (mistake !== null) found.set(node, mistake);
  }
  return found;
}
