import type { Game } from './game.js';

/**
 * How many positions lie `depth` plies below `state`, 0 or more. A finished game has none below it. The last
 * ply is counted, not played. `state` is as it was afterwards.
 */
export function countPositions<State>(game: Game<State>, state: State, depth: number): number {
  const buffers = Array.from({ length: depth + 1 }, () => new Int32Array(game.maxLegalActions));
  const countBelow = (plies: number): number => {
    if (plies === 0) return 1;
    if (plies === 1) return game.countLegalActions(state);
    const actions = buffers[plies]!;
    const count = game.legalActions(state, actions);
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
