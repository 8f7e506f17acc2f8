import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import type { Action, Game } from '../../env/game.js';
import { createRng } from '../../env/random.js';
import { type PositionKey, positionKey } from './position-key.js';

/** Settings for sampling random openings. */
export interface CandidateSettings {
  readonly seed: number;
  /** Bounds of the number of plies of an opening. */
  readonly minPlies: number;
  readonly maxPlies: number;
}

/** An opening, and the key of the position after it. */
export interface Candidate {
  readonly moves: readonly Action[];
  readonly key: PositionKey;
}

/**
 * Draws candidate number `index`: random moves that do not lose at once, so in Gess both sides keep a ring.
 *
 * @returns null if the moves end the game.
 */
export function drawCandidate<State>(
  game: Game<State>,
  { seed, minPlies, maxPlies }: CandidateSettings,
  index: number,
): Candidate | null {
  const rng = createRng(seed, 'openings', index);
  const plies = minPlies + rng.integer(maxPlies - minPlies + 1);
  const state = game.initialState();
  const moves: Action[] = [];
  for (let ply = 0; ply < plies; ply++) {
    const action = drawCarefulAction(game, state, rng);
    game.apply(state, action);
    if (game.outcome(state) !== null) return null;
    moves.push(action);
  }
  return { moves, key: positionKey(game, state) };
}
