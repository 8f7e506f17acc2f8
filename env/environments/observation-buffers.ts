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

/** The arrays of one observation, which later ones overwrite. */
export class ObservationRow {
  readonly planes: Float32Array;
  readonly mask: Uint8Array;
  private readonly isShared: boolean;
  /** The ones of the mask, ascending. */
  private marked = new Int32Array(0);
  /** The number of these; -1 while the contents of the mask are unknown. */
  private count = -1;

  /**
   * @param planes `[R * C * P]`
   * @param mask `[A]`
   */
  constructor(planes: Float32Array, mask: Uint8Array) {
    this.planes = planes;
    this.mask = mask;
    this.isShared = !(mask.buffer instanceof ArrayBuffer);
  }

  /** Overwrites the planes by those that `player` sees. */
  writePlanes<State>({ game, state }: ObservedPosition<State>, player: Player): void {
    game.observe(state, this.planes, 0, player);
  }

  /** Overwrites the mask by that of `player`. Nothing else may have written to it. */
  writeMask<State>(position: ObservedPosition<State>, player: Player): void {
    const legal = position.legalActions(player);
    this.clearMask();
    markLegal(this.mask, legal);
    if (this.marked.length < legal.length) this.marked = new Int32Array(2 * legal.length);
    this.marked.set(legal);
    this.count = legal.length;
  }

  private clearMask(): void {
    const { mask, marked, count } = this;
    if (count === -1) mask.fill(0);
    // In memory of this thread a fill takes half the time of single stores, in shared memory many times as long.
    else if (this.isShared) for (let i = 0; i < count; i++) mask[marked[i]!] = 0;
    else if (count > 0) mask.fill(0, marked[0], marked[count - 1]! + 1);
  }
}

const WRITE = Symbol('write');

/** An observation that can be written to a row, without arrays of its own. */
interface WritableObservation extends Observation {
  [WRITE](row: ObservationRow): void;
}

/** Writes an observation to `row` and returns true; returns false if only its arrays can be copied. */
export function writeObservation(observation: unknown, row: () => ObservationRow): boolean {
  const { [WRITE]: write } = observation as Partial<WritableObservation>;
  if (write === undefined) return false;
  write(row());
  return true;
}

/**
 * The observation of `player` of the current position, in reused arrays that are filled when read: planes and
 * masks that are never read cost nothing.
 */
export function sharedObservation<State>(position: ObservedPosition<State>, player: Player): Observation {
  const { game } = position;
  let own: ObservationRow | undefined;
  let planesVersion = -1;
  let maskVersion = -1;
  const ownRow = (): ObservationRow =>
    (own ??= new ObservationRow(
      new Float32Array(sizeOfShape(game.observationShape)),
      new Uint8Array(game.numActions),
    ));
  const shared: Observation = {
    get observation() {
      const row = ownRow();
      if (planesVersion !== position.version) row.writePlanes(position, player);
      planesVersion = position.version;
      return row.planes;
    },
    get actionMask() {
      const row = ownRow();
      if (maskVersion !== position.version) row.writeMask(position, player);
      maskVersion = position.version;
      return row.mask;
    },
  };
  return Object.defineProperty(shared, WRITE, {
    value: (row: ObservationRow) => {
      row.writePlanes(position, player);
      row.writeMask(position, player);
    },
  });
}
