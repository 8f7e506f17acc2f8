import assert from 'node:assert/strict';
import type { Sample } from '../../../data/shards/sample.js';
import { MAX_POLICY_WEIGHT } from '../../../data/shards/row-contradiction.js';
import { sampleOf } from '../../../data/shards/shard-columns.js';
import type { DecodedShard } from '../../../data/shards/shard-encoding.js';

/** All rows of a shard. */
export function rowsOf({ columns }: DecodedShard): readonly Sample[] {
  return Array.from({ length: columns.rows }, (_, row) => sampleOf(columns, row));
}

/** Checks that no value of a row contradicts its meaning. */
export function checkRow({ player, ply, pliesLeft, actions, policy, played, ...row }: Sample): void {
  assert.ok([0, 1].includes(player));
  assert.ok(ply >= 0 && pliesLeft >= 1);
  assert.deepStrictEqual(
    [...new Set(actions)].sort((a, b) => a - b),
    [...actions],
  );
  assert.equal(policy.length, actions.length);
  assert.ok(policy.every((share) => share >= 0));
  assert.ok(Math.abs(policy.reduce((sum, share) => sum + share, 0) - 1) < 0.01);
  assert.ok([-1, 0, 1, null].includes(row.result));
  assert.ok(row.rootValue === null || Math.abs(row.rootValue) <= 1);
  assert.ok(row.policyWeight >= 0 && row.policyWeight <= MAX_POLICY_WEIGHT);
  assert.ok(row.surprise === null || (row.surprise >= 0 && row.surprise < Infinity));
  assert.equal(played === null, row.finalPosition === null);
  assert.ok(played === null || actions.includes(played));
}
