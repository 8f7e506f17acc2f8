import type { Game } from './game.js';

/**
 * How perft treats the moves of the last ply: `count` asks the game for their number, which it may know without
 * listing them; `list` lists them; `play` also applies and undoes each.
 */
export type LastPly = 'count' | 'list' | 'play';

/**
 * Counts the positions `depth` plies (0 or more) below `state` (perft). A finished game has none below it.
 * The count does not depend on `lastPly`. `state` is unchanged afterwards.
 */
export function countPositions<State>(
  game: Game<State>,
  state: State,
  depth: number,
  lastPly: LastPly = 'count',
): number {
  const buffers = Array.from({ length: depth + 1 }, () => new Int32Array(game.maxLegalActions));
  const countBelow = (plies: number): number => {
    if (plies === 0) return 1;
    if (plies === 1 && lastPly === 'count') return game.countLegalActions(state);
    const actions = buffers[plies]!;
    const count = game.legalActions(state, actions);
    if (plies === 1 && lastPly === 'list') return count;
    let positions = 0;
    for (let i = 0; i < count; i++) {
      game.apply(state, actions[i]!);
      positions += countBelow(plies - 1);
      game.undo(state);
    }
    return positions;
  };
  return countBelow(depth);
}
