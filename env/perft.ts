import type { Game } from './game.js';

/**
 * What is done with the moves of the last ply: `count` asks the game how many there are, which it may know
 * without listing them; `list` lists them; `play` also plays each and takes it back.
 */
export type LastPly = 'count' | 'list' | 'play';

/**
 * How many positions lie `depth` plies below `state`, 0 or more. A finished game has none below it. The
 * number is the same whatever `lastPly` is. `state` is as it was afterwards.
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
