import type { Game } from '../../env/game.js';
import { sizeOfShape } from '../../env/spaces/shape.js';

/** A key that two positions share if a symmetry maps the pieces and the player to move of one to those of the other. */
export type PositionKey = string;

/**
 * The key of a position: the pieces from the mover's view, in the orientation with the smallest text. It ignores
 * earlier positions and the ply.
 */
export function positionKey<State>(game: Game<State>, state: State): PositionKey {
  const [rows, columns, planes] = game.observationShape;
  const observation = new Float32Array(sizeOfShape(game.observationShape));
  game.observe(state, observation, 0);
  const { own, opponent } = game.encoding.holders;
  const pieces = [...own, ...opponent];
  let smallest: PositionKey | null = null;
  for (const { squares } of game.symmetries) {
    const board = new Array<string>(rows * columns).fill('.');
    for (let square = 0; square < rows * columns; square++) {
      const kind = pieces.findIndex((plane) => observation[square * planes + plane] !== 0);
      if (kind >= 0) board[squares[square]!] = kind.toString(36);
    }
    const text = board.join('');
    if (smallest === null || text < smallest) smallest = text;
  }
  return smallest!;
}
