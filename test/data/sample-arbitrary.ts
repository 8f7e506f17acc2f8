import fc from 'fast-check';
import type { Sample } from '../../data/shards/sample.js';
import type { ShardMetadata } from '../../data/shards/shard-metadata.js';
import type { ShardGame } from '../../data/shards/shard.js';

/** Game of the arbitrary samples. */
export const sampleGame: ShardGame = {
  id: 'connect-four',
  rules: 'standard',
  rulesVersion: 1,
  encodingVersion: 1,
  packedSize: 7,
  numActions: 7,
};

export const sampleMetadata: ShardMetadata = {
  game: 'connect-four',
  rules: 'standard',
  rulesVersion: 1,
  encodingVersion: 1,
  seed: 2 ** 53 - 1,
  generation: 3,
  configDigest: 'ab'.repeat(32),
  softwareVersion: '0.1.0',
};

const moves = fc
  .uniqueArray(fc.integer({ min: 0, max: sampleGame.numActions - 1 }), { minLength: 1 })
  .map((actions) => Uint16Array.from(actions).sort())
  .chain((actions) =>
    fc.record({
      actions: fc.constant(actions),
      policy: fc
        .array(fc.float({ min: 0, max: 1, noNaN: true }), {
          minLength: actions.length,
          maxLength: actions.length,
        })
        .map((values) => Float32Array.from(values)),
    }),
  );

/** Any sample of a game with 7-byte positions and 7 actions, extreme values included. */
export const sampleArbitrary: fc.Arbitrary<Sample> = fc
  .record({
    position: fc.uint8Array({ minLength: sampleGame.packedSize, maxLength: sampleGame.packedSize }),
    player: fc.constantFrom<(0 | 1)[]>(0, 1),
    ply: fc.nat(0xffff),
    moves,
    policyWeight: fc.float({ min: 0, max: 8, noNaN: true }),
    rootValue: fc.option(fc.float({ min: -1, max: 1, noNaN: true })),
    result: fc.constantFrom<(-1 | 0 | 1 | null)[]>(-1, 0, 1, null),
    pliesLeft: fc.integer({ min: 1, max: 0xffff }),
    searchSize: fc.nat(),
    gameId: fc.integer({ min: 0, max: 0xffff_ffff }),
    end: fc.option(
      fc.record({
        played: fc.nat(sampleGame.numActions - 1),
        finalPosition: fc.uint8Array({ minLength: sampleGame.packedSize, maxLength: sampleGame.packedSize }),
      }),
    ),
    surprise: fc.option(fc.float({ min: 0, max: 16, noNaN: true })),
  })
  .map(({ moves: { actions, policy }, end, ...sample }) => ({
    ...sample,
    actions,
    policy,
    played: end?.played ?? null,
    finalPosition: end?.finalPosition ?? null,
  }));
