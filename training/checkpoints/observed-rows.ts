import type { RowWindow } from '../../data/datasets/row-window.js';
import type { Game } from '../../env/game.js';
import { sizeOfShape } from '../../env/spaces/shape.js';
import { spreadRows } from '../../data/datasets/row-window.js';

/** Network inputs `[count, R, C, P]` of training rows, evenly spread over the window. */
export function observeRows<State>(game: Game<State>, window: RowWindow, count: number): Float32Array {
  const size = sizeOfShape(game.observationShape);
  const observations = new Float32Array(count * size);
  const state = game.initialState();
  for (const [i, row] of spreadRows(window.trainingRows, count).entries()) {
    game.unpack(window.shard(row).content(window.index(row)).position, 0, state);
    game.observe(state, observations, i * size);
  }
  return observations;
}
