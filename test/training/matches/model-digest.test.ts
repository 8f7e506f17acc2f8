import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sha256 } from '../../../data/files/sealed-json.js';
import { modelDigest } from '../../../training/matches/ladder/model-digest.js';

test.each([
  ['alphabeta:network=gess,depth=1', 'models/gess/patterns/patterns.bin'],
  ['alphabeta:network=models/gess/patterns,nodes=10', 'models/gess/patterns/patterns.bin'],
  ['policy:model=gess-int8', 'models/gess/model-legal-int8.onnx'],
])('the digest of %s is that of its file', async (agent, file) => {
  expect(await modelDigest(agent)).toBe(sha256(readFileSync(file)));
});

test('the digest of an agent with two networks depends on both', async () => {
  const digests = [
    await modelDigest('mcts:model=gess,network=gess,simulations=1'),
    await modelDigest('mcts:model=gess-int8,network=gess,simulations=1'),
    await modelDigest('mcts:model=gess,simulations=1'),
    await modelDigest('alphabeta:network=gess,depth=1'),
  ];
  expect(new Set(digests).size).toBe(digests.length);
  await expect(modelDigest('mcts:model=gess,network=no/such')).rejects.toMatchObject({
    code: 'model-missing',
  });
});

test('an agent without a file has none; one whose file is missing is refused', async () => {
  expect(await modelDigest('alphabeta:depth=1')).toBeNull();
  await expect(modelDigest('alphabeta:network=no/such,depth=1')).rejects.toMatchObject({
    code: 'model-missing',
  });
});
