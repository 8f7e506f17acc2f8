import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf } from '../../data/shards/shard-columns.js';
import { writeShard } from '../../data/shards/shard.js';
import { shardName } from '../../data/arrow-names.js';
import { createGame } from '../../env/games.js';
import { isLong } from '../long-tests.js';
import { needPackages, root, runPython } from '../python.js';
import { runGess, runGessJson } from '../scripts/captured-output.js';
import { writeCarefulShard } from '../training/network/network-fixtures.js';
import { sampleArbitrary, sampleGame, sampleMetadata } from './sample-arbitrary.js';
import { temporaryFolder } from './temporary-folder.js';

/** The programs of docs/how-to/read-the-data.md by the package that they read with. */
const programs = new Map(
  Array.from(
    readFileSync(join(root, 'docs', 'how-to', 'read-the-data.md'), 'utf8').matchAll(
      /^```python\n([^]*?)^```\n/gm,
    ),
  ).map(([, program]): [string, string] => [
    /^import (duckdb|polars|pyarrow)/m.exec(program!)![1]!,
    program!,
  ]),
);

async function countBy(name: string, folder: string): Promise<unknown> {
  const program = join(temporaryFolder(), 'counts.py');
  writeFileSync(program, programs.get(name)!);
  return JSON.parse(await runPython([program, folder]));
}

interface Inspected {
  readonly rows: number;
  readonly games: number;
  readonly players: readonly number[];
  readonly rowResults: { readonly won: number; readonly none: number };
  readonly searchedRows: number;
  readonly actions: number;
  readonly histograms: Readonly<
    Record<'ply' | 'policyEntropy', { readonly max: number; readonly mean: number }>
  >;
}

async function inspectedCounts(folder: string): Promise<Record<string, unknown>> {
  const found = (await runGessJson('inspect', folder)) as Inspected;
  const { rows, games, players, rowResults, searchedRows, actions, histograms } = found;
  return {
    ...{ rows, games, players, searchedRows, actions },
    won: rowResults.won,
    none: rowResults.none,
    greatestPly: histograms.ply.max,
    meanEntropy: expect.closeTo(histograms.policyEntropy.mean, 9) as number,
  };
}

async function playedGames(): Promise<string> {
  const folder = join(temporaryFolder(), 'played');
  mkdirSync(folder);
  await writeCarefulShard(createGame('connect-four'), folder, 12);
  return folder;
}

/** Shards with the greatest and least numbers that columns hold. */
async function extremeRows(): Promise<string> {
  const folder = temporaryFolder();
  for (const index of [0, 1]) {
    mkdirSync(join(folder, String(index)));
    const samples = fc.sample(sampleArbitrary, { numRuns: 60, seed: index + 1 }).map((sample, row) => {
      return { ...sample, gameId: 0xffff_ffff - index * 60 - row };
    });
    const shard = { columns: columnsOf(samples, sampleGame.packedSize), metadata: sampleMetadata };
    await writeShard(join(folder, String(index), shardName(0)), shard);
  }
  return folder;
}

test.runIf(isLong)(
  'the programs of docs/how-to/read-the-data.md count what gess inspect counts',
  { timeout: 120_000 },
  async (context) => {
    await needPackages(context, 'python/requirements-data.txt', ['duckdb', 'polars', 'pyarrow']);
    expect([...programs.keys()].sort()).toEqual(['duckdb', 'polars', 'pyarrow']);
    for (const folder of [await playedGames(), await extremeRows()]) {
      const parquet = join(temporaryFolder(), 'parquet');
      await runGess('data', 'convert', folder, '--out', parquet);
      const expected = await inspectedCounts(folder);
      expect(await countBy('pyarrow', folder)).toEqual(expected);
      expect(await countBy('polars', folder)).toEqual(expected);
      expect(await countBy('duckdb', parquet)).toEqual(expected);
    }
  },
);
