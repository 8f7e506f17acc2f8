import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import type { Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import { sizeOfShape } from '../../env/spaces/shape.js';

/** On average, one position of this many in a game is used, so that positions differ. */
const SPACING = 4;
/** Plies after which a game is abandoned. */
const LONGEST = 120;

/** Calls `visit` with `count` positions from games of random moves that do not lose at once; the state is reused. */
function visitCarefulPositions<State>(
  game: Game<State>,
  count: number,
  rng: Rng,
  visit: (state: State, index: number) => void,
): void {
  let state = game.initialState();
  for (let taken = 0; taken < count;) {
    const isOver = game.countLegalActions(state) === 0 || game.ply(state) >= LONGEST;
    if (isOver) {
      state = game.initialState();
      continue;
    }
    if (rng.integer(SPACING) === 0) visit(state, taken++);
    game.apply(state, drawCarefulAction(game, state, rng));
  }
}

/**
 * Writes the network inputs of positions from games of random moves that do not lose at once.
 *
 * @returns `[count, R, C, P]`.
 */
export function observeCarefulPositions<State>(game: Game<State>, count: number, rng: Rng): Float32Array {
  const size = sizeOfShape(game.observationShape);
  const observations = new Float32Array(count * size);
  visitCarefulPositions(game, count, rng, (state, index) => {
    game.observe(state, observations, index * size);
  });
  return observations;
}

/** The same positions as `observeCarefulPositions` observes, as states with their history. */
export function carefulPositions<State>(game: Game<State>, count: number, rng: Rng): readonly State[] {
  const states: State[] = [];
  visitCarefulPositions(game, count, rng, (state) => states.push(game.clone(state)));
  return states;
}
