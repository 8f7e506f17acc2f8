import assert from 'node:assert/strict';
import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DataError } from '../../../data/data-error.js';
import { decodeEpisodes } from '../../../data/episodes/episode-decoding.js';
import { encodeEpisodes } from '../../../data/episodes/episode-encoding.js';
import { formatEpisodeMetadata, parseEpisodeMetadata } from '../../../data/episodes/episode-metadata.js';
import { viewRow } from '../../../data/shards/row-view.js';
import { checkShardRows } from '../../../data/shards/shard-check.js';
import { SHARD_COLUMNS } from '../../../data/shards/column-table.js';
import { columnsOf } from '../../../data/shards/shard-columns.js';
import { decodeShard } from '../../../data/shards/shard-decoding.js';
import { type DecodedShard, encodeShard } from '../../../data/shards/shard-encoding.js';
import { fixtureShard } from '../../data/fixture-shard.js';
import { recordedGames } from '../../data/recorded-games.js';
import { asGames, sampleArbitrary, sampleGame, sampleMetadata } from '../../data/sample-arbitrary.js';
import { fuzz } from '../fuzz.js';
import { type Mutant, mutants } from '../mutated-bytes.js';
import { checkRefusal, readOrRefuse } from '../refusal.js';
import { checkRow, rowsOf } from './row-laws.js';

/** Processor time in which a small file with any content must be read or refused. */
const LIMIT_MS = 2000;
/** Greatest memory of a reader's arrays, relative to the file: copies of columns are wider than in the file. */
const MAX_GROWTH = 4;

/** Calls `read`, which must finish in time. */
function inTime<Found>(read: () => Found): Found {
  const before = process.cpuUsage();
  try {
    return read();
  } finally {
    const took = process.cpuUsage(before).user / 1000;
    assert.ok(took < LIMIT_MS, `read for ${took} ms`);
  }
}

/** The result of `read` for a mutant, or undefined if it refuses the mutant with one of `codes`. */
function readMutant<Found>(read: () => Found, codes: readonly DataError['code'][]): Found | undefined {
  return inTime(() => readOrRefuse(read, DataError, codes))?.value;
}

const arbitraryRows = asGames(fc.sample(sampleArbitrary, { numRuns: 5, seed: 3 }));
const SHARDS = [
  fixtureShard(),
  { columns: columnsOf(arbitraryRows, sampleGame.packedSize), metadata: sampleMetadata },
].map(({ columns, metadata }) => encodeShard(columns, metadata));

/** The range of the record batch's values in the file: after the message, before the footer. */
function bodyOf(file: Uint8Array): { readonly start: number; readonly end: number } {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const end = file.length - 10 - view.getInt32(file.length - 10, true);
  return { start: 8 + 8 + view.getInt32(12, true), end };
}

/** Checks that apache-arrow, which does not validate files, finds the same rows. */
function compareWithArrow(bytes: Uint8Array, shard: DecodedShard): void {
  const table = tableFromIPC(bytes);
  const plain = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? Array.from(value as Iterable<unknown>) : value;
  for (const [row, sample] of rowsOf(shard).entries()) {
    for (const { name } of SHARD_COLUMNS) {
      assert.deepStrictEqual(
        plain(sample[name]),
        plain(table.getChild(name)!.get(row)),
        `${name} in row ${row}`,
      );
    }
  }
}

const USE_CODES = ['shard-format', 'shard-rules', 'shard-encoding', 'game-unknown', 'rules-unknown'];

/** Checks that `use` reads rows or refuses them; their games, rules and positions have not been validated yet. */
function checkUse(use: () => unknown): void {
  try {
    inTime(use);
  } catch (error) {
    checkRefusal(error);
    assert.ok(USE_CODES.includes(error.code), error.code);
  }
}

fuzz('a shard with any bytes', {
  input: mutants(SHARDS),
  runs: 600,
  law: ({ base, bytes, places }: Mutant) => {
    const shard = readMutant(() => decodeShard('a shard', bytes), ['shard-format', 'shard-too-new']);
    if (shard === undefined) return false;
    const arrays = SHARD_COLUMNS.reduce((sum, { key }) => sum + shard.columns[key].byteLength, 0);
    assert.ok(arrays <= MAX_GROWTH * bytes.length, `${arrays} bytes of columns`);
    compareWithArrow(bytes, shard);
    const rows = rowsOf(shard);
    for (const row of rows) checkRow(row);
    checkUse(() => {
      checkShardRows('a shard', shard);
    });
    for (const row of rows.keys()) checkUse(() => viewRow('a shard', shard, row));
    // A change in the headers alone changes no row.
    const body = bodyOf(SHARDS[base]!);
    if (places?.every((at) => at + 8 <= body.start || at >= body.end) === true) {
      assert.deepStrictEqual(rows, rowsOf(decodeShard('the same', SHARDS[base]!)));
    }
    return true;
  },
});

const EPISODES = [recordedGames(true), recordedGames(false)].map(encodeEpisodes);

fuzz('episodes with any bytes', {
  input: mutants(EPISODES),
  runs: 200,
  law: ({ bytes }: Mutant) => {
    const codes = ['episode-format', 'episode-too-new'] as const;
    const dataset = readMutant(() => decodeEpisodes('a file', bytes), codes);
    if (dataset === undefined) return false;
    for (const { agents, actors, actions, rewards, observations } of dataset.episodes) {
      assert.equal(actors.length, actions.length);
      assert.equal(rewards.length, actions.length * agents.length);
      assert.ok(actors.every((actor) => actor < agents.length));
      if (observations !== null) assert.equal(observations.length, actions.length + 1);
    }
    return true;
  },
});

/** Bytes between tested lengths; refusing episodes is slow because their metadata contains spaces. */
const STEPS = { shard: 3, episodes: 17 };

describe.each<[keyof typeof STEPS, Uint8Array, (bytes: Uint8Array) => unknown, string]>([
  ['shard', SHARDS[0]!, (bytes) => decodeShard('a shard', bytes), 'shard-format'],
  ['episodes', EPISODES[1]!, (bytes) => decodeEpisodes('episodes', bytes), 'episode-format'],
])('a file: %s', (kind, file, read, code) => {
  const refused = expect.objectContaining({ name: 'DataError', code }) as Error;

  test('truncated to any length is refused', () => {
    for (let length = 0; length < file.length; length++) {
      assert.throws(() => read(file.slice(0, length)), { name: 'DataError', code });
    }
    for (let length = 0; length < file.length; length += STEPS[kind]) {
      // Also with the magic and the footer at its end.
      assert.throws(() => read(Buffer.concat([file.subarray(0, length), file.subarray(length + 1)])), {
        code,
      });
    }
  });

  test('with other bytes around it is refused', () => {
    expect(() => read(Buffer.concat([new Uint8Array(8), file]))).toThrow(refused);
    expect(() => read(Buffer.concat([file, file]))).toThrow(refused);
  });

  test('that announces 4e9 of anything is refused and takes no memory', () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 0; at + 8 <= file.length; at += 4 * STEPS[kind]) {
      for (const count of [4_000_000_000n, 2n ** 62n, 0xffff_ffff_ffff_fff8n]) {
        const hostile = Buffer.from(file);
        hostile.writeBigUInt64LE(count, at);
        try {
          read(hostile);
        } catch (error) {
          assert.ok(error instanceof DataError, String(error));
        }
      }
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 28);
  });
});

test('a header on which the reader of apache-arrow never ends is refused', () => {
  const bytes = Uint8Array.from(SHARDS[0]!);
  bytes[38] = 200;
  expect(readMutant(() => decodeShard('a shard', bytes), ['shard-format'])).toBeUndefined();
});

test('metadata nested 100,000 deep is refused', () => {
  const { metadata } = recordedGames(false);
  const facts = { spec: null, agents: ['red', 'yellow'], totalEpisodes: 0, totalSteps: 0 };
  const texts = formatEpisodeMetadata(metadata, facts);
  expect(parseEpisodeMetadata('a file', texts).facts).toEqual(facts);
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  for (const key of ['envSpec', 'agents', 'observationSpace', 'actionSpace']) {
    const read = (): unknown => parseEpisodeMetadata('a file', new Map([...texts, [key, deep]]));
    expect(readMutant(read, ['episode-format'])).toBeUndefined();
  }
});
