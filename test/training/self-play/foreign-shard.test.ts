import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { columnsOf, sampleOf, type ShardColumns } from '../../../data/shards/shard-columns.js';
import { decodeShard } from '../../../data/shards/shard-decoding.js';
import { encodeShard } from '../../../data/shards/shard-encoding.js';
import { createGame } from '../../../env/games.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import { WarmStartConfig } from '../../../training/config/groups/warm-start-config.js';
import { openModelFile, openPortableModel } from '../../../training/export/model-file.js';
import type { GameStatistics } from '../../../training/self-play/self-play-statistics.js';
import { TrainingGame } from '../../../training/self-play/training-game.js';
import { shardOf } from '../../../training/self-play/shard-content.js';
import { type ForeignShard, judgeShard } from '../../../training/self-play/foreign-shard/foreign-shard.js';
import { planShards } from '../../../training/self-play/shard-job.js';
import { playShard } from '../../../training/self-play/shard-play.js';
import { ownIdentity } from '../../../training/workers/pool/wire/worker-identity.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const GAME = { id: 'connect-four', rules: 'default' };
const MODELS = join(import.meta.dirname, '../../../models/connect-four');

test.each([
  ['model-legal.onnx', {}],
  ['model-legal-int8.onnx', {}],
  ['model-legal.onnx', { randomMoveShare: 0.2, resignValue: -0.2, playOnShare: 0 }],
])('games of %s with %j are judged with WebAssembly', { timeout: 60_000 }, async (name, settings) => {
  const config = SelfPlayConfig.parse({ search: { simulations: 16 }, ...settings });
  const [job] = await planShards({
    folder: temporaryFolder(),
    game: GAME,
    source: { kind: 'network', modelPath: join(MODELS, name), config },
    ...{ seed: 4, generation: 1, firstGame: 10, games: 4, gamesPerShard: 4 },
    softwareVersion: ownIdentity(1).version,
  });
  const { games } = await playShard(job!);
  const shard = {
    job: job!,
    file: job!.path,
    games,
    replayed: [10, 11, 12, 13],
    kernels: 'other' as const,
  };
  expect(await judgeShard(shard)).toBeNull();

  const { metadata, columns } = decodeShard(job!.path, readFileSync(job!.path));
  columns.rootValues.fill(0.9);
  const file = join(temporaryFolder(), 'altered.arrow');
  writeFileSync(file, encodeShard(columns, metadata));
  expect(await judgeShard({ ...shard, file })).toContain('positions differ when they are searched again');
});

const LOWS = Array.from({ length: 20 }, () => 0);

test.each([
  ['evaluations that no game has', { evaluations: Number.MAX_SAFE_INTEGER }],
  ['plies beyond all limits', { plies: 2 ** 52, shortestPlies: 2 ** 52, longestPlies: 2 ** 52 }],
  ['two ends', { resigned: 1, playedOn: 1 }],
  ['an end twice', { adjudicated: 2 }],
  ['a low of a game that was not played on', { loserLows: LOWS.with(3, 1) }],
  ['many lows', { playedOn: 1, survivorLows: LOWS.with(3, Number.MAX_SAFE_INTEGER) }],
])('statistics with %s are found without replaying the game', async (_, forged) => {
  const shard = await gameWithRepetition(0);
  const [counts] = shard.games;
  expect(await judgeShard(shard)).toBeNull();
  expect(await judgeShard({ ...shard, games: [{ ...counts!, ...forged }] })).toContain('game 0 with ');
});

test('rows before the first game of the job, which no game would answer for, are refused', async () => {
  const shard = await gameWithRepetition(0);
  const job = { ...shard.job, firstGame: 1 };
  expect(await judgeShard({ ...shard, job })).toContain('games other than 1 to 1');
});

/** A row or a game that the settings of its job do not allow, found although the game is not replayed. */
type ForgedShard = (columns: ShardColumns, games: GameStatistics[]) => void;

test.each<[string, ForgedShard]>([
  ['a policy of weight 7', ({ policyWeights }) => policyWeights.fill(7)],
  ['policyWeight 1.7014118346046923e+38', ({ policyWeights }) => policyWeights.fill(2 ** 127)],
  ['a search of 3 simulations', ({ searchSizes }) => searchSizes.fill(3)],
  ['an end by adjudication', (_, games) => (games[0] = { ...games[0]!, adjudicated: 1 })],
  ['a resignation', (_, games) => (games[0] = { ...games[0]!, resigned: 1 })],
])('%s is found in a game that is not replayed', async (problem, forge) => {
  const config = SelfPlayConfig.parse({ search: { simulations: 8 } });
  const [job] = await planShards({
    folder: temporaryFolder(),
    game: GAME,
    source: { kind: 'network', modelPath: join(MODELS, 'model-legal.onnx'), config },
    ...{ seed: 4, generation: 1, firstGame: 0, games: 1, gamesPerShard: 1 },
    softwareVersion: ownIdentity(1).version,
  });
  const games = [...(await playShard(job!)).games];
  const { metadata, columns } = decodeShard(job!.path, readFileSync(job!.path));
  const file = join(temporaryFolder(), 'foreign.arrow');
  const judge = async (): Promise<string | null> => {
    games[0] = { ...games[0]!, learntPositions: columns.policyWeights.filter((weight) => weight > 0).length };
    writeFileSync(file, encodeShard(columns, metadata));
    return judgeShard({ job: job!, file, games, replayed: [], kernels: 'native' });
  };
  expect(await judge()).toBeNull();
  forge(columns, games);
  expect(await judge()).toContain(problem);
});

test('a missing ply is found if no move of the job is random', async () => {
  const shard = await gameWithRepetition(0);
  const { source } = shard.job;
  if (source.kind !== 'agent') throw new Error('expected games of an agent');
  const { metadata, columns } = decodeShard(shard.file, readFileSync(shard.file));
  const samples = Array.from({ length: columns.rows }, (_, row) => sampleOf(columns, row));
  const { packedSize } = createGame('gess', 'eureka');
  writeFileSync(shard.file, encodeShard(columnsOf(samples.toSpliced(2, 1), packedSize), metadata));
  const games = shard.games.map((game) => ({ ...game, positions: 5, learntPositions: 5 }));
  expect(await judgeShard({ ...shard, games })).toContain('no ply 2');
  const config = { ...source.config, randomPlies: 0 };
  const late = await gameWithRepetition(2);
  const job = { ...late.job, source: { ...source, config } };
  expect(await judgeShard({ ...late, job })).toContain('ply 2 in its first row');
});

/** A shard of one game of Gess from the start, in which both players move back and forth. */
async function gameWithRepetition(openingPlies: number): Promise<ForeignShard> {
  const game = createGame('gess', 'eureka');
  const [job] = await planShards({
    folder: temporaryFolder(),
    game: { id: game.id, rules: game.rules },
    source: { kind: 'agent', config: WarmStartConfig.parse({ agent: 'careful', quietPlies: 40 }) },
    ...{ seed: 4, generation: 0, firstGame: 0, games: 1, gamesPerShard: 1 },
    softwareVersion: ownIdentity(1).version,
  });
  const record = new TrainingGame(game, 0);
  const legal = new Int32Array(game.maxLegalActions);
  const moves = ['l3-l4', 'l18-l17', 'l4-l3', 'l17-l18', 'l3-l4', 'l18-l17'];
  for (const [ply, move] of moves.entries()) {
    const action = game.parseAction(move);
    if (ply < openingPlies) {
      record.playRandom(action);
      continue;
    }
    const actions = Uint16Array.from(legal.subarray(0, game.legalActions(record.state, legal))).sort();
    const policy = new Float32Array(actions.length).fill(1 / actions.length);
    const search = { rootValue: 0, searchSize: 0, surprise: null };
    record.playDecision(action, { actions, policy, policyWeight: 1, ...search });
  }
  record.adjudicate(0);
  const finished = record.finish(0);
  const file = join(temporaryFolder(), 'foreign.arrow');
  const { columns, metadata } = shardOf(game, job!, [finished]);
  writeFileSync(file, encodeShard(columns, metadata));
  return { job: job!, file, games: [finished.statistics], replayed: [], kernels: 'native' };
}

test.each([0, 2])('a board that occurs twice is sound, with %i plies before the first row', async (plies) => {
  const shard = await gameWithRepetition(plies);
  expect(await judgeShard(shard)).toBeNull();
});

test('a row that wrongly says that its board has occurred before is found', async () => {
  const shard = await gameWithRepetition(0);
  const { metadata, columns } = decodeShard(shard.file, readFileSync(shard.file));
  const flags = 2 * columns.positionSize + 81;
  expect(columns.positions[flags]).toBe(0);
  columns.positions[flags] = 2;
  writeFileSync(shard.file, encodeShard(columns, metadata));
  expect(await judgeShard(shard)).toContain('a move in row 1 that does not lead to the next row');
});

test('a network has nearly the same outputs in WebAssembly', async () => {
  const game = createGame(GAME.id, GAME.rules);
  const outputs = [];
  for (const open of [openModelFile, openPortableModel]) {
    const evaluator = await NetworkEvaluator.create(game, await open(join(MODELS, 'model-legal.onnx'), game));
    const batch = new EvaluationBatch(game, 1, evaluator);
    batch.add(game, game.initialState());
    await evaluator.evaluate(batch);
    outputs.push([...batch.priors.slice(0, batch.start[1]), ...batch.outcomes.slice(0, 3)]);
    await evaluator.dispose();
  }
  const [native, portable] = outputs as [number[], number[]];
  native.forEach((value, index) => {
    expect(portable[index]).toBeCloseTo(value, 4);
  });
});
