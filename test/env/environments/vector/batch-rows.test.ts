import { expect, test } from 'vitest';
import type { Observation } from '../../../../env/environments/environment.js';
import { make } from '../../../../env/environments/make.js';
import { BatchRows } from '../../../../env/environments/vector/batch-rows.js';
import { createRng } from '../../../../env/random.js';
import { createBatch, sampleOfBatch } from '../../../../env/spaces/batch.js';
import { sizeOfShape } from '../../../../env/spaces/shape.js';
import { createQuess } from '../../../../env/quess/quess.js';

const { observationShape, numActions } = createQuess();

/** A batch of two observations full of 9, so that numbers that are not overwritten are found. */
function dirtyBatch(isShared: boolean): Observation {
  const bytes = (length: number): ArrayBuffer | SharedArrayBuffer =>
    isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length);
  return {
    observation: new Float32Array(bytes(8 * sizeOfShape(observationShape))).fill(9),
    actionMask: new Uint8Array(bytes(2 * numActions)).fill(9),
  };
}

/** Observations of random play of an environment that reuses its arrays, each with an equal one in new arrays. */
function* observations(): Generator<[Observation, Observation]> {
  const kwargs = { opponent: 'self', plyLimit: 20 } as const;
  const [reusing, copying] = [make('gess/Quess', { ...kwargs, copy: false }), make('gess/Quess', kwargs)];
  const rng = createRng(3);
  for (let episode = 0; episode < 5; episode++) {
    let seen = reusing.reset().observation;
    let { observation: expected, info } = copying.reset();
    yield [seen, expected];
    while (info.legalActions.length > 0) {
      const action = info.legalActions[rng.integer(info.legalActions.length)]!;
      seen = reusing.step(action).observation;
      ({ observation: expected, info } = copying.step(action));
      yield [seen, expected];
    }
  }
}

test.each([
  { memory: 'of this thread', isShared: false },
  { memory: 'shared', isShared: true },
])('observations overwrite their row, in memory $memory, and nothing else', ({ isShared }) => {
  const space = make('gess/Quess', { opponent: 'self' }).observationSpace;
  const batch = dirtyBatch(isShared);
  const rows = new BatchRows(space, 2, batch);
  const untouched = sampleOfBatch(space, batch, 0);
  for (const [seen, expected] of observations()) {
    rows.write(1, seen);
    expect(sampleOfBatch(space, batch, 1)).toEqual({ ...expected });
  }
  expect(sampleOfBatch(space, batch, 0)).toEqual(untouched);
});

test('a row may be overwritten in any way', () => {
  const space = make('gess/Quess', { opponent: 'self' }).observationSpace;
  const rows = new BatchRows(space, 2);
  let step = 0;
  for (const [seen, expected] of observations()) {
    // An observation whose arrays can only be copied.
    if (step % 3 === 0) rows.write(0, { ...expected });
    else rows.write(0, seen);
    expect(sampleOfBatch(space, rows.batch, 0)).toEqual({ ...expected });
    if (step % 5 === 0) {
      const before = rows.copy();
      rows.overwrite(createBatch(space, 2));
      expect(rows.batch).toEqual(createBatch(space, 2));
      rows.overwrite(before);
    }
    step += 1;
  }
});
