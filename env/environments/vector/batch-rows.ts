import { type Batch, createBatch, writeBatch, writeSample } from '../../spaces/batch.js';
import type { Space } from '../../spaces/space.js';
import type { Observation } from '../environment.js';
import { ObservationRow, writeObservation } from '../observations/shared-observation.js';

/** A batch of observations, one a row, each written where it stays if its environment can do so. */
export class BatchRows<Seen> {
  /** `[count, …]`; only `write` and `overwrite` may change it. */
  readonly batch: Batch<Seen>;
  private readonly space: Space<Seen>;
  private readonly count: number;
  private readonly rows: (ObservationRow | undefined)[];

  /** @param batch defaults to zeros. */
  constructor(space: Space<Seen>, count: number, batch: Batch<Seen> = createBatch(space, count)) {
    this.batch = batch;
    this.space = space;
    this.count = count;
    this.rows = new Array<ObservationRow | undefined>(count);
  }

  /** Overwrites a row by an observation. */
  write(index: number, observation: Seen): void {
    if (writeObservation(observation, () => (this.rows[index] ??= this.rowOf(index)))) return;
    writeSample(this.space, observation, this.batch, index);
    this.rows[index] = undefined;
  }

  /** Overwrites all rows by those of another batch. */
  overwrite(batch: Batch<Seen>): void {
    writeBatch(this.space, batch, this.batch, 0);
    this.rows.fill(undefined);
  }

  /** A copy of the batch. */
  copy(): Batch<Seen> {
    const copy = createBatch(this.space, this.count);
    writeBatch(this.space, this.batch, copy, 0);
    return copy;
  }

  /** Requires observations of planes and masks. */
  private rowOf(index: number): ObservationRow {
    const { observation, actionMask } = this.batch as Observation;
    const part = <Whole extends Float32Array | Uint8Array>(whole: Whole): Whole => {
      const size = whole.length / this.count;
      return whole.subarray(index * size, (index + 1) * size) as Whole;
    };
    return new ObservationRow(part(observation), part(actionMask));
  }
}
