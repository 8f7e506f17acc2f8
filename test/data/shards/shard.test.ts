import { readdirSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeWithManifest } from '../../../data/files/manifest.js';
import { columnsOf, sampleOf } from '../../../data/shards/shard-columns.js';
import { decodeShard } from '../../../data/shards/shard-decoding.js';
import { type DecodedShard, encodeShard } from '../../../data/shards/shard-encoding.js';
import { findShard, readShard, writeShard } from '../../../data/shards/shard.js';
import { arrowManifestPath, shardName } from '../../../data/arrow-names.js';
import type { Sample } from '../../../data/shards/sample.js';
import { FIXTURE_SHARD, fixtureShard } from '../fixture-shard.js';
import { asGames, sampleArbitrary, sampleGame, sampleMetadata } from '../sample-arbitrary.js';
import { temporaryFolder } from '../temporary-folder.js';

const samplesArbitrary = fc.array(sampleArbitrary, { maxLength: 20 }).map(asGames);
const someSamples = fc.sample(sampleArbitrary, { numRuns: 9, seed: 4 });

function encode(samples: readonly Sample[]): Uint8Array {
  return encodeShard(columnsOf(samples, sampleGame.packedSize), sampleMetadata);
}

async function writtenShard(): Promise<string> {
  const path = join(temporaryFolder(), shardName(0));
  await writeShard(path, {
    columns: columnsOf(someSamples, sampleGame.packedSize),
    metadata: sampleMetadata,
  });
  return path;
}

describe('encoding', () => {
  test('returns every sample and the metadata', () => {
    fc.assert(
      fc.property(samplesArbitrary, (samples) => {
        const { columns, metadata } = decodeShard('a shard', encode(samples));
        expect(samples.map((_, row) => sampleOf(columns, row))).toEqual(samples);
        expect(columns.rows).toBe(samples.length);
        expect(metadata).toEqual(sampleMetadata);
      }),
    );
  });

  test('writes equal bytes for equal samples, decoded or not', () => {
    fc.assert(
      fc.property(samplesArbitrary, (samples) => {
        const bytes = encode(samples);
        const { columns, metadata } = decodeShard('a shard', bytes);
        expect(Buffer.compare(encodeShard(columns, metadata), bytes)).toBe(0);
      }),
    );
  });
});

describe('a shard file', () => {
  test('is read back', async () => {
    const path = await writtenShard();
    const { columns } = await readShard(path, sampleGame);
    expect(someSamples.map((_, row) => sampleOf(columns, row))).toEqual(someSamples);
  });

  test('with any damage is rejected before its content is read', async () => {
    const path = await writtenShard();
    const bytes = await readFile(path);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Buffer.from(bytes);
        damaged[at]! ^= change;
        await writeFile(path, damaged);
        await expect(readShard(path)).rejects.toMatchObject({ name: 'DataError', code: 'file-altered' });
      }),
    );
  });

  test('does not exist without its manifest', async () => {
    const path = await writtenShard();
    expect(await findShard(path)).not.toBeNull();
    const orphan = join(temporaryFolder(), shardName(7));
    await writeFile(orphan, await readFile(path));
    expect(await findShard(orphan)).toBeNull();
    await expect(readShard(orphan)).rejects.toMatchObject({ code: 'manifest-missing' });
  });

  test('is rejected if it was cut', async () => {
    const path = await writtenShard();
    await truncate(path, 200);
    await expect(readShard(path)).rejects.toMatchObject({
      code: 'file-cut',
      message: expect.stringContaining(path) as string,
    });
    await expect(findShard(path)).rejects.toMatchObject({ code: 'file-cut' });
  });

  test('is rejected if a bit was flipped, in the header or elsewhere', async () => {
    const path = await writtenShard();
    const bytes = await readFile(path);
    for (const at of [0, 8, bytes.length >> 1, bytes.length - 1]) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1;
      await writeFile(path, damaged);
      await expect(readShard(path)).rejects.toMatchObject({
        code: 'file-altered',
        message: expect.stringContaining(path) as string,
      });
    }
  });

  test.each([
    ['shard-game', { ...sampleGame, id: 'gess' }],
    ['shard-rules', { ...sampleGame, rules: 'other' }],
    ['shard-rules', { ...sampleGame, rulesVersion: 2 }],
    ['shard-encoding', { ...sampleGame, encodingVersion: 2 }],
    ['shard-format', { ...sampleGame, packedSize: 8 }],
    ['shard-format', { ...sampleGame, numActions: 3 }],
  ])('of another kind is rejected: %s', async (code, game) => {
    await expect(readShard(await writtenShard(), game)).rejects.toMatchObject({ code });
  });

  test.each([
    ['shard-too-new', 'shardVersion', '9'],
    ['shard-format', 'shardVersion', 'x'],
    ['shard-format', 'generation', '-'],
    ['shard-format', 'pliesLeft', 'pliesleft'],
  ])('with valid checksums and invalid content is rejected: %s for %s', async (code, name, replacement) => {
    const path = await writtenShard();
    const text = (await readFile(path)).toString('latin1');
    const value = name === 'shardVersion' ? '1' : name === 'generation' ? '3' : name;
    // Flatbuffers write the value's length and bytes before the key's, at multiples of four.
    const changed =
      value === name
        ? text.replaceAll(name, replacement)
        : text.replaceAll(`\x01\0\0\0${value}\0\0\0`, (match, at: number) =>
            nearestKey(text, at) === name ? match.replace(value, replacement) : match,
          );
    expect(changed).not.toBe(text);
    const bytes = Buffer.from(changed, 'latin1');
    await writeWithManifest(arrowManifestPath(path), new Map([[basename(path), bytes]]), {
      kind: 'shard',
      details: {},
    });
    await expect(readShard(path)).rejects.toMatchObject({ code });
  });
});

/** The key in the metadata whose value lies at `at`. */
function nearestKey(text: string, at: number): string {
  return /[a-zA-Z]{4,}/.exec(text.slice(at + 8, at + 60))?.[0] ?? '';
}

test.each<[string, Partial<Sample>]>([
  ['player 2', { player: 2 as 0 }],
  ['result 5', { result: 5 as 1 }],
])('a shard with %s is rejected', (problem, change) => {
  const bytes = encode(someSamples.map((sample, row) => (row === 3 ? { ...sample, ...change } : sample)));
  expect(() => decodeShard('a shard', bytes)).toThrow(
    expect.objectContaining({ code: 'shard-format', message: `a shard has ${problem} in row 3` }) as Error,
  );
});

test('a generation of 33 bits, which Parquet files cannot hold, is rejected', () => {
  const columns = columnsOf(someSamples, sampleGame.packedSize);
  const decode = (generation: number): unknown =>
    decodeShard('a shard', encodeShard(columns, { ...sampleMetadata, generation }));
  expect(decode(2 ** 32 - 1)).toMatchObject({ metadata: { generation: 2 ** 32 - 1 } });
  expect(() => decode(2 ** 32)).toThrow(
    expect.objectContaining({
      code: 'shard-format',
      message: expect.stringContaining('at generation') as string,
    }) as Error,
  );
});

test.each<[string, Partial<DecodedShard['metadata']>, Partial<DecodedShard['columns']>]>([
  ['at seed', { seed: -5 }, {}],
  ['at generation', { generation: NaN }, {}],
  ['at generation', { generation: 0.5 }, {}],
  ['at rules', { rules: 5 as unknown as string }, {}],
  ['9 numbers in plies, got 3', {}, { plies: new Uint16Array(3) }],
  ['63 numbers in positions, got 7', {}, { positions: new Uint8Array(7) }],
  ['10 numbers in actionStart, got 1', {}, { actionStart: new Int32Array(1) }],
])('a shard that could not be read is not written: %s', async (problem, metadata, columns) => {
  const folder = temporaryFolder();
  const shard = {
    metadata: { ...sampleMetadata, ...metadata },
    columns: { ...columnsOf(someSamples, sampleGame.packedSize), ...columns },
  };
  await expect(writeShard(join(folder, 'x.arrow'), shard)).rejects.toMatchObject({
    code: 'shard-format',
    message: expect.stringContaining(problem) as string,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test('a shard in which the rows of a game are not adjacent is rejected', () => {
  const { columns } = fixtureShard();
  const samples = Array.from({ length: columns.rows }, (_, row) => sampleOf(columns, row));
  const bytes = encode([...samples, samples[0]!]);
  expect(() => decodeShard('a shard', bytes)).toThrow(
    expect.objectContaining({
      code: 'shard-format',
      message: expect.stringContaining('game 640 again') as string,
    }),
  );
});

test('the shard in the fixtures is what this program writes and reads', async () => {
  const shard = fixtureShard();
  if (process.env['WRITE_FIXTURES'] === '1') await writeShard(FIXTURE_SHARD, shard, { games: 2 });
  expect(Buffer.compare(encodeShard(shard.columns, shard.metadata), await readFile(FIXTURE_SHARD))).toBe(0);
  expect(await readShard(FIXTURE_SHARD, sampleGame)).toEqual(shard);
});
