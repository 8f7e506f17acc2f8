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
  /**
   * The position after the first `plies` moves in the history of `state`, a current or earlier state of this
   * position.
   */
  rewound(state: State, plies: number): ObservedPosition<State>;
}

function newPlanes<State>({ game, state }: ObservedPosition<State>, player: Player): Float32Array {
  const planes = new Float32Array(sizeOfShape(game.observationShape));
  game.observe(state, planes, 0, player);
  return planes;
}

function markLegal(mask: Uint8Array, legal: Int32Array): void {
  const count = legal.length;
  for (let i = 0; i < count; i++) mask[legal[i]!] = 1;
}

function newMask<State>(position: ObservedPosition<State>, player: Player): Uint8Array {
  const mask = new Uint8Array(position.game.numActions);
  markLegal(mask, position.legalActions(player));
  return mask;
}

/** The observation of `player`, in new arrays. */
function newObservation<State>(position: ObservedPosition<State>, player: Player): Observation {
  return { observation: newPlanes(position, player), actionMask: newMask(position, player) };
}

/** Node's `console.log` would show getters instead of arrays. */
const SHOWN_ARRAYS: object = {
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return { ...this };
  },
};

/**
 * The observation of `player` of the current position, in new arrays that are created when they are first read, even if
 * the episode has continued since. Allocating them, 90 kB in Gess, takes longer than the rest of a step.
 */
export function keptObservation<State>(position: ObservedPosition<State>, player: Player): Observation {
  const { game, state, version } = position;
  // A clock changes the state without a move, so undoing moves cannot return to this position.
  if (game.spendTime !== undefined) return newObservation(position, player);
  const plies = game.historyLength(state);
  const then = (): ObservedPosition<State> =>
    position.version === version ? position : position.rewound(state, plies);
  let planes: Float32Array | undefined;
  let mask: Uint8Array | undefined;
  const kept = {
    __proto__: SHOWN_ARRAYS,
    get observation() {
      return (planes ??= newPlanes(then(), player));
    },
    get actionMask() {
      return (mask ??= newMask(then(), player));
    },
  };
  return kept;
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
      markLegal(mask, legal);
      first = legal[0] ?? 0;
      end = legal.length === 0 ? 0 : legal[legal.length - 1]! + 1;
      maskVersion = position.version;
      return mask;
    },
  };
}
