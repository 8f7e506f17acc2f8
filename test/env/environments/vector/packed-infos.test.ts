import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Info } from '../../../../env/environments/environment.js';
import { batchColumns, batchInfos, InfoColumns } from '../../../../env/environments/vector/batched-infos.js';
import { packInfos, unpackInfos } from '../../../../env/environments/vector/packed-infos.js';

const values = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.string(),
  fc.constant(null),
  fc.record({ return: fc.integer(), length: fc.nat() }, { noNullPrototype: true }),
);
const infos = fc.array(
  fc.option(
    fc.dictionary(fc.constantFrom('ply', 'agent', 'episode', '__proto__', 'finalObservation'), values, {
      noNullPrototype: true,
    }),
  ),
  { minLength: 1, maxLength: 5 },
) as unknown as fc.Arbitrary<(Info | null)[]>;

const same = (value: unknown): unknown => value;

test('infos that were sent in parts are batched as those of one vector', () => {
  fc.assert(
    fc.property(infos, infos, (front, back) => {
      const columns = new InfoColumns(front.length + back.length);
      unpackInfos(structuredClone(packInfos(front, same)), columns, 0, same);
      unpackInfos(structuredClone(packInfos(back, same)), columns, front.length, same);
      expect(batchColumns(columns, true)).toStrictEqual(batchInfos([...front, ...back], true));
    }),
  );
});

test('names are sent once for environments of the same fields', () => {
  const legalActions = new Int32Array(0);
  const packed = packInfos(
    [{ ply: 3, legalActions }, null, { ply: 4, legalActions }],
    (value, name, index) => (name === 'ply' ? value : index),
  );
  expect(packed).toEqual([
    {
      names: ['ply', 'legalActions'],
      indices: [0, 2],
      columns: [
        [3, 4],
        [0, 2],
      ],
    },
  ]);
});
