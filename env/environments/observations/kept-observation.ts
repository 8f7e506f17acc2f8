import type { Player } from '../../game.js';
import { sizeOfShape } from '../../spaces/shape.js';
import type { Observation } from '../environment.js';
import { markLegal, type ObservedPosition } from './observed-position.js';

function newPlanes<State>({ game, state }: ObservedPosition<State>, player: Player): Float32Array {
  const planes = new Float32Array(sizeOfShape(game.observationShape));
  game.observe(state, planes, 0, player);
  return planes;
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

/** The arrays of an observation, created when they are first read, even if the episode has continued since. */
class LazyArrays<State> {
  private readonly position: ObservedPosition<State>;
  private readonly player: Player;
  private readonly state: State;
  private readonly version: number;
  private readonly plies: number;
  private madePlanes: Float32Array | undefined;
  private madeMask: Uint8Array | undefined;

  constructor(position: ObservedPosition<State>, player: Player) {
    this.position = position;
    this.player = player;
    this.state = position.state;
    this.version = position.version;
    this.plies = position.game.historyLength(position.state);
  }

  get planes(): Float32Array {
    return (this.madePlanes ??= newPlanes(this.positionThen(), this.player));
  }

  get mask(): Uint8Array {
    return (this.madeMask ??= newMask(this.positionThen(), this.player));
  }

  private positionThen(): ObservedPosition<State> {
    const { position } = this;
    return position.version === this.version ? position : position.rewound(this.state, this.plies);
  }
}

/** The source of the arrays: hidden from copies and comparisons and, unlike a private field, there behind a `Proxy`. */
const ARRAYS = Symbol('arrays');

/** An observation whose arrays are created when they are first read; otherwise like a plain object. */
class KeptObservation {
  declare readonly observation: Float32Array;
  declare readonly actionMask: Uint8Array;
  declare readonly [ARRAYS]: LazyArrays<unknown>;

  static {
    // Comparisons of types see an Object.
    Reflect.deleteProperty(this.prototype, 'constructor');
  }

  constructor(arrays: LazyArrays<unknown>) {
    Object.defineProperty(this, ARRAYS, { value: arrays });
    // Getters that all observations share. Those of an object literal would be new functions, for which V8 creates a
    // hidden class for each observation; these survive minor collections, and with them what they refer to.
    Object.defineProperty(this, 'observation', PLANES);
    Object.defineProperty(this, 'actionMask', MASK);
  }

  /** Node's `console.log` would show getters instead of arrays. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    const { observation, actionMask } = this;
    return { observation, actionMask };
  }
}

const PLANES = {
  enumerable: true,
  configurable: true,
  get(this: KeptObservation): Float32Array {
    return this[ARRAYS].planes;
  },
};

const MASK = {
  enumerable: true,
  configurable: true,
  get(this: KeptObservation): Uint8Array {
    return this[ARRAYS].mask;
  },
};

/**
 * The observation of `player` of the current position, in new arrays that are created when they are first read, even if
 * the episode has continued since. Allocating them, 90 kB in Gess, takes longer than the rest of a step.
 */
export function keptObservation<State>(position: ObservedPosition<State>, player: Player): Observation {
  // A clock changes the state without a move, so undoing moves cannot return to this position.
  if (position.game.spendTime !== undefined) return newObservation(position, player);
  return new KeptObservation(new LazyArrays(position, player));
}
