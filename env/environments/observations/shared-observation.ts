import type { Player } from '../../game.js';
import { sizeOfShape } from '../../spaces/shape.js';
import type { Observation } from '../environment.js';
import { markLegal, type ObservedPosition } from './observed-position.js';

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
