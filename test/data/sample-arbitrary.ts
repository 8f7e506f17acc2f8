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

/** Shares that sum to 1; uniform if all values are 0. */
function normalize(values: readonly number[]): Float32Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return Float32Array.from(values, (value) => (sum > 0 ? value / sum : 1 / values.length));
}

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
        .map(normalize),
      index: fc.nat(actions.length - 1),
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
        finalPosition: fc.uint8Array({ minLength: sampleGame.packedSize, maxLength: sampleGame.packedSize }),
      }),
    ),
    surprise: fc.option(fc.float({ min: 0, max: 16, noNaN: true })),
  })
  .map(({ moves: { actions, policy, index }, end, ...sample }) => ({
    ...sample,
    actions,
    policy,
    played: end === null ? null : actions[index]!,
    finalPosition: end?.finalPosition ?? null,
  }));

/**
 * Makes neighbours with the same game number rows of one game: plies ascend, and its end and its result are
 * the same.
 */
export function asGames(samples: readonly Sample[]): Sample[] {
  const out: Sample[] = [];
  for (let first = 0; first < samples.length;) {
    const { gameId, ply, pliesLeft, player, result } = samples[first]!;
    const rows = samples.slice(first).findIndex((sample) => sample.gameId !== gameId);
    const end = rows === -1 ? samples.length : first + rows;
    const opposite = result === null || result === 0 ? result : result === 1 ? -1 : 1;
    const isAlone = end === first + 1;
    const [base, total] = isAlone ? [ply, pliesLeft] : [ply >> 1, end - first + (pliesLeft >> 1)];
    for (let row = first; row < end; row++) {
      const sample = samples[row]!;
      const own = sample.player === player ? result : opposite;
      out.push({ ...sample, ply: base + row - first, pliesLeft: total - (row - first), result: own });
    }
    first = end;
  }
  return out;
}
