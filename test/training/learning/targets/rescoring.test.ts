import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createAgent } from '../../../../agents/create-agent.js';
import { readDatasetCard } from '../../../../data/datasets/dataset-card-file.js';
import { listDatasetShards } from '../../../../data/datasets/dataset-folder.js';
import { ALL_ROWS } from '../../../../data/datasets/row-filter.js';
import type { Sample } from '../../../../data/shards/sample.js';
import { columnsOf, sampleOf } from '../../../../data/shards/shard-columns.js';
import { readShard, writeShard } from '../../../../data/shards/shard.js';
import { createGame } from '../../../../env/games.js';
import { createRng } from '../../../../env/random.js';
import { type Rescoring, rescoreDataset } from '../../../../training/learning/targets/rescoring.js';
import { FIXTURE_SHARD as FIXTURE } from '../../../data/fixture-shard.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { runGess } from '../../../scripts/captured-output.js';
import { writeCarefulShard } from '../../network/network-fixtures.js';

const NOTHING: Rescoring = { agent: null, agentMoves: false, lambda: null, drawsTruncated: false, seed: 1 };
const game = createGame('connect-four');

async function rowsOf(folder: string): Promise<Sample[]> {
  const rows: Sample[] = [];
  for (const path of await listDatasetShards(folder)) {
    const { columns } = await readShard(path, game);
    rows.push(...Array.from({ length: columns.rows }, (_, row) => sampleOf(columns, row)));
  }
  return rows;
}

async function rescored(
  source: string,
  rescoring: Partial<Rescoring>,
  filter = ALL_ROWS,
): Promise<{ out: string; rows: Sample[] }> {
  const out = join(temporaryFolder(), 'new');
  const request = { sources: [source], out, filter, softwareVersion: '0.1.0' };
  await rescoreDataset(request, { ...NOTHING, ...rescoring });
  return { out, rows: await rowsOf(out) };
}

/** A game without a result, of `length` plies; only some of them have rows. */
interface UnfinishedGame {
  readonly gameId: number;
  readonly plies: readonly number[];
  readonly length: number;
}

async function writeUnfinished(folder: string, games: readonly UnfinishedGame[]): Promise<void> {
  const { metadata } = await readShard(FIXTURE, game);
  const [row] = (await rowsOf(FIXTURE)).filter(({ rootValue }) => rootValue !== null);
  const samples = games.flatMap(({ gameId, plies, length }) =>
    plies.map((ply): Sample => {
      const player = ply % 2 === 0 ? 0 : 1;
      return { ...row!, gameId, ply, player, pliesLeft: length - ply, result: null };
    }),
  );
  await writeShard(join(folder, 'shard-000000.arrow'), {
    metadata,
    columns: columnsOf(samples, game.packedSize),
  });
}

describe('rescoring', () => {
  test('mixes values with those of later rows, including rows that are filtered out', async () => {
    const source = temporaryFolder();
    await writeCarefulShard(game, source, 4);
    const { out } = await rescored(source, { agent: 'alphabeta:depth=1' });
    const all = (await rescored(out, { lambda: 0.8 })).rows;
    const { rows } = await rescored(out, { lambda: 0.8 }, { ...ALL_ROWS, where: ['ply=..4'] });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(all.length);
    expect(rows).toEqual(all.filter(({ ply }) => ply <= 4));
  });

  test("replaces the values by an agent's, and keeps all other columns", async () => {
    const source = temporaryFolder();
    await writeCarefulShard(game, source, 4);
    const before = await rowsOf(source);
    const { out, rows } = await rescored(source, { agent: 'alphabeta:depth=2' });
    expect(rows.map((row) => ({ ...row, rootValue: 0 }))).toEqual(
      before.map((row) => ({ ...row, rootValue: 0 })),
    );
    const agent = await createAgent('alphabeta:depth=2', game);
    for (const row of [rows[0]!, rows[7]!, rows.at(-1)!]) {
      const state = game.initialState();
      game.unpack(row.position, 0, state);
      const [choice] = await agent.chooseAll([{ state, rng: createRng(1) }]);
      expect(row.rootValue).toBe(Math.fround(choice!.value!));
    }
    // The player of the last move wins by it, and the search finds that.
    const winning = rows.filter(({ pliesLeft, result }) => pliesLeft === 1 && result === 1);
    expect(winning.length).toBeGreaterThan(0);
    for (const { rootValue } of winning) expect(rootValue).toBeGreaterThan(0.9);
    expect((await readDatasetCard(out))?.madeBy).toMatchObject({
      operation: 'rescore',
      options: { agent: 'alphabeta:depth=2', seed: 1 },
    });
  });

  test("makes an agent's moves the policies, with full weight", async () => {
    const before = await rowsOf(FIXTURE);
    const { out, rows } = await rescored(FIXTURE, { agent: 'alphabeta:depth=2', agentMoves: true });
    const agent = await createAgent('alphabeta:depth=2', game);
    expect(rows).toHaveLength(before.length);
    for (const [index, row] of rows.entries()) {
      const state = game.initialState();
      game.unpack(row.position, 0, state);
      const [choice] = await agent.chooseAll([{ state, rng: createRng(1) }]);
      expect(row.actions).toEqual(before[index]!.actions);
      expect([...row.policy]).toEqual([...row.actions].map((action) => (action === choice!.action ? 1 : 0)));
      expect(row).toMatchObject({ policyWeight: 1, searchSize: 0, surprise: null });
      expect(row.result).toBe(before[index]!.result);
    }
    expect((await readDatasetCard(out))?.madeBy).toMatchObject({ options: { agentMoves: true } });
  });

  test('counts games at the ply limit as drawn after the last ply without a row, and mixes in later values', async () => {
    const source = temporaryFolder();
    const limit = game.plyLimit;
    await writeUnfinished(source, [
      { gameId: 1, plies: [limit - 3, limit - 2, limit - 1], length: limit },
      { gameId: 2, plies: [limit - 4, limit - 2, limit - 1], length: limit },
      { gameId: 3, plies: [limit - 3, limit - 2], length: limit },
      // A game that was resigned right after a random move.
      { gameId: 4, plies: [10, 11, 12], length: 14 },
    ]);
    const { rows } = await rescored(source, { lambda: 1, drawsTruncated: true });
    const drawn = [
      [0, 0, 0],
      [null, 0, 0],
      [null, null],
      [null, null, null],
    ].flat();
    expect(rows.map(({ result }) => result)).toEqual(drawn);
    for (const { result, rootValue } of rows) if (result === 0) expect(rootValue! + 0).toBe(0);
  });

  test('refuses an agent that reports no value, and leaves no files', async () => {
    const out = join(temporaryFolder(), 'new');
    const request = { sources: [FIXTURE], out, filter: ALL_ROWS, softwareVersion: '0.1.0' };
    await expect(rescoreDataset(request, { ...NOTHING, agent: 'random' })).rejects.toMatchObject({
      code: 'agent-value',
    });
    await expect(rescoreDataset(request, { ...NOTHING, agent: 'rand' })).rejects.toMatchObject({
      code: 'agent-unknown',
    });
    expect(readdirSync(join(out, '..'))).toEqual([]);
  });
});

test('an agent searches no forged position in which the game is over', async () => {
  const folder = temporaryFolder();
  const path = await writeCarefulShard(game, folder, 4);
  const { metadata, columns } = await readShard(path, game);
  columns.positions.set(columns.finalPositions.subarray(0, columns.positionSize), 0);
  await writeShard(path, { metadata, columns });
  for (const agent of ['alphabeta:depth=2', 'mcts:simulations=4']) {
    await expect(rescored(folder, { agent, agentMoves: true })).rejects.toMatchObject({
      code: 'shard-format',
      message: expect.stringContaining('row 0') as string,
    });
  }
});

test('the command requires at least one change, and an agent for its moves', async () => {
  const out = join(temporaryFolder(), 'new');
  await expect(runGess('data', 'rescore', FIXTURE, '--out', out)).rejects.toMatchObject({
    code: 'option-missing',
  });
  const withoutAgent = ['--agent-moves', '--truncated', 'draw'];
  await expect(runGess('data', 'rescore', FIXTURE, '--out', out, ...withoutAgent)).rejects.toMatchObject({
    code: 'option-missing',
    message: expect.stringContaining('--agent') as string,
  });
  const { results } = await runGess('data', 'rescore', FIXTURE, '--out', out, '--truncated', 'draw');
  expect(results[0]).toMatch(/^\d+ rows in /);
});
