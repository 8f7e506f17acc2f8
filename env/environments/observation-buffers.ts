import type { Game, Player } from '../game.js';
import { sizeOfShape } from '../spaces/shape.js';
import type { Observation } from './environment.js';

/** The source of a position's observations. */
export interface ObservedPosition<State> {
  readonly game: Game<State>;
  readonly state: State;
  /** Different for every position; observations of another version are outdated. */
  readonly version: number;
  /** The legal actions of `player`, ascending; empty if the player is not to move or the episode is over. */
  legalActions(player: Player): Int32Array;
}

/** The observation of `player`, in new arrays. */
export function newObservation<State>(position: ObservedPosition<State>, player: Player): Observation {
  const { game } = position;
  const observation = new Float32Array(sizeOfShape(game.observationShape));
  game.observe(position.state, observation, 0, player);
  const actionMask = new Uint8Array(game.numActions);
  for (const action of position.legalActions(player)) actionMask[action] = 1;
  return { observation, actionMask };
}

/**
 * The observation of `player` of the current position, in reused arrays that are filled when read: planes and
 * masks that are never read cost nothing.
 */
export function sharedObservation<State>(position: ObservedPosition<State>, player: Player): Observation {
  const { game } = position;
  const planes = new Float32Array(sizeOfShape(game.observationShape));
  const mask = new Uint8Array(game.numActions);
  // All ones of the mask lie in `[first, end)`: one fill takes half the time of single stores.
  let first = 0;
  let end = 0;
  let planesVersion = -1;
  let maskVersion = -1;
  return {
    get observation() {
      if (planesVersion !== position.version) game.observe(position.state, planes, 0, player);
      planesVersion = position.version;
      return planes;
    },
    get actionMask() {
      if (maskVersion === position.version) return mask;
      mask.fill(0, first, end);
      const legal = position.legalActions(player);
      const count = legal.length;
      for (let i = 0; i < count; i++) mask[legal[i]!] = 1;
      first = count === 0 ? 0 : legal[0]!;
      end = count === 0 ? 0 : legal[count - 1]! + 1;
      maskVersion = position.version;
      return mask;
    },
  };
}
