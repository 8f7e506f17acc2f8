import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Command } from '@commander-js/extra-typings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeEpisodes } from '../../../data/episodes/episode-file.js';
import { defineEngine } from '../../../scripts/commands/serving/engine-command.js';
import { pathOf } from '../../../scripts/usage/usage-error.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { openRun } from '../../../training/run/run-folder.js';
import { writeRecord } from '../../../training/run/run-record-file.js';
import { PoolStatus } from '../../../training/workers/pool/wire/pool-status.js';
import { FIXTURE_SHARD } from '../../data/fixture-shard.js';
import { recordedGames } from '../../data/recorded-games.js';
import { metricsRecord } from '../../training/run/record-fixtures.js';
import { captureOutput, runGess } from '../captured-output.js';
import { documentedCommands, type FieldTable, fieldTables, tableFaults } from './documented-json.js';
import { listCommands } from './list-commands.js';

/** Commands of the page that are not run: both need a server. */
const NOT_RUN = ['worker', 'pool simulate'];

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
const CHECKPOINT = join(FIXTURES, 'checkpoint');
const SOLVED = join(FIXTURES, 'connect-four-solved.jsonl');

/** A run of one generation, of which every stage is as short as possible. */
const CONFIG = {
  generations: 1,
  game: { id: 'connect-four' },
  network: { channels: 4, blocks: 1, valueHidden: 8 },
  selfPlay: { processes: 1, games: 2, gamesPerShard: 2, search: { simulations: 4 } },
  learner: { batchSize: 16, maxSteps: 2 },
  evaluation: { every: 0 },
};

const folder = mkdtempSync(join(tmpdir(), 'gess-json-'));
const pathTo = (...names: readonly string[]): string => join(folder, ...names);
const [run, games, valued] = [pathTo('run'), pathTo('games'), pathTo('valued')];
const GAME = ['--game', 'connect-four'];
const ONE_PROCESS = ['--processes', '1'];

/** Objects printed by the commands that make `games` and `run`. */
let played: readonly object[] = [];
let trained: readonly object[] = [];

/** The objects that a command prints, one a line. */
async function printed(...words: readonly string[]): Promise<readonly object[]> {
  const { results } = await runGess(...words, '--json');
  return results.map((line) => JSON.parse(line) as object);
}

/** The objects of several calls of a command. */
async function all(...calls: readonly (readonly string[])[]): Promise<readonly object[]> {
  const objects: object[] = [];
  for (const words of calls) objects.push(...(await printed(...words)));
  return objects;
}

/** A run with as many lines of metrics as a trend of memory needs. */
async function longRun(): Promise<string> {
  const path = pathTo('long');
  const config = RunConfig.parse({ game: { id: 'connect-four' }, generations: 12 });
  const { lock, paths } = await openRun(path, { config, resume: false, versions: {} });
  lock.release();
  for (let generation = 1; generation <= 12; generation++) {
    await writeRecord(paths, 'metrics', metricsRecord(generation));
  }
  cpSync(CHECKPOINT, paths.checkpoint(1), { recursive: true });
  return path;
}

async function episodesFile(): Promise<string> {
  const path = pathTo('episodes.arrow');
  await writeEpisodes(path, recordedGames(true));
  return path;
}

/** `engine-test` of a program that fails at once, which is the fastest. */
async function testedEngine(): Promise<readonly object[]> {
  const { exitCode } = process;
  try {
    return await printed('engine-test', 'exit 3', ...GAME);
  } finally {
    process.exitCode = exitCode;
  }
}

/** An object with the fields of a pool's state, which only a server has. */
function poolStatus(): readonly object[] {
  const { workers, ...others } = PoolStatus.shape;
  return [{ ...others, workers: [workers.element.shape] }];
}

/** An object with the sections of the benchmarks, which take minutes. */
async function benchSections(): Promise<readonly object[]> {
  const bench = (await listCommands()).find((command) => command.name() === 'bench')!;
  const sections = bench.registeredArguments[0]!.argChoices!;
  return [Object.fromEntries(['signature', ...sections].map((name) => [name, {}]))];
}

const QUESS = ['--game', 'quess', '--rules', 'standard,clock=60'];
const PUBLISHED = ['--sgf', 'gess-zero/examples/records/eureka-53.sgf', '--force', '--variations'];

/** Objects of each place of the page, such that each field of its tables is in one of them. */
const OBJECTS: Readonly<Record<string, () => readonly object[] | Promise<readonly object[]>>> = {
  setup: () => printed('setup'),
  doctor: () => printed('doctor'),
  perft: () => printed('perft', '1'),
  replay: () => all(['replay', ...PUBLISHED], ['replay', '--moves', '', ...QUESS]),
  show: () => all(['show'], ['show', ...QUESS]),
  'analyze: A position': () =>
    all(
      ['analyze', ...GAME, '--depth', '1'],
      ['analyze', ...GAME, '--depth', '2', '--moves', '0 1 0 1 0 6'],
      ['analyze', ...GAME, '--agent', 'mcts:simulations=8', '--lines', '2', '--tree', '2'],
    ),
  'analyze: A game': async () => {
    const record = pathTo('record.json');
    await runGess('replay', ...GAME, '--moves', '3 3', '--write', record);
    return printed('analyze', '--record', record, '--depth', '1');
  },
  'engine-test': testedEngine,
  problems: () => {
    const words = ['--count', '1', '--out', pathTo('problems.json')];
    return printed('problems', ...GAME, '--agent', 'careful', ...words);
  },
  quickstart: () => trained,
  selfplay: () => played,
  learn: () => {
    const words = ['--config', pathTo('config.json'), '--out', pathTo('learnt'), '--steps', '1'];
    return printed('learn', '--data', join(run, 'data'), ...words);
  },
  average: () => {
    const checkpoints = [0, 1].map((generation) => join(run, 'checkpoints', `gen-00000${generation}`));
    return printed('average', ...checkpoints, '--out', pathTo('mean'));
  },
  train: () => printed('train', '--out', run, '--resume'),
  watch: () => printed('watch', run),
  'pool init': () => printed('pool', 'init', '--out', pathTo('pool'), '--host', '127.0.0.1', '--no-tls'),
  'pool status': poolStatus,
  evaluate: () => {
    const players = ['--agent', 'random', '--opponent', 'random'];
    return printed('evaluate', ...GAME, ...players, '--games', '2', ...ONE_PROCESS);
  },
  ladder: () => {
    const words = ['--out', pathTo('ladder'), '--player', 'random', '--games', '2', ...ONE_PROCESS];
    return printed('ladder', ...GAME, ...words);
  },
  'openings make': () => {
    const words = [
      '--count',
      '1',
      '--judge',
      'alphabeta:depth=1',
      '--out',
      pathTo('book.txt'),
      ...ONE_PROCESS,
    ];
    return printed('openings', 'make', ...GAME, '--max-value', '1', ...words);
  },
  accuracy: () => {
    const words = ['accuracy', '--solved', SOLVED];
    return all([...words, ...GAME, '--agent', 'random'], [...words, '--run', run, '--simulations', '1']);
  },
  regret: () => {
    const words = ['--data', FIXTURE_SHARD, '--positions', '1', '--simulations', '2'];
    return printed('regret', ...GAME, '--model', 'connect-four', ...words, '--search', 'simulations=2');
  },
  'export: Writing': () => printed('export', '--checkpoint', CHECKPOINT, '--out', pathTo('export')),
  'export: Verifying': () =>
    all(['export', '--verify', join(run, 'export')], ['export', '--verify', 'connect-four']),
  report: () => printed('report', run, '--out', pathTo('report.html')),
  'inspect: Shards': () => printed('inspect', FIXTURE_SHARD, '--row', '4'),
  'inspect: A checkpoint': () => printed('inspect', CHECKPOINT),
  'inspect: A run': async () => printed('inspect', await longRun()),
  'inspect: Episodes': async () => printed('inspect', await episodesFile()),
  study: () => printed('study', valued, '--agent', 'alphabeta:depth=1'),
  'data verify': async () => printed('data', 'verify', FIXTURE_SHARD),
  'data merge, data split, data rescore, data reanalyze, data convert': () => {
    const search = ['--model', 'connect-four', '--search', 'simulations=2'];
    return all(
      ['data', 'merge', FIXTURE_SHARD, '--out', pathTo('merged')],
      ['data', 'split', FIXTURE_SHARD, '--part', 'a=1', '--out', pathTo('split')],
      ['data', 'rescore', FIXTURE_SHARD, '--lambda', '0.5', '--out', pathTo('rescored')],
      ['data', 'reanalyze', FIXTURE_SHARD, ...search, '--out', pathTo('again')],
      ['data', 'convert', FIXTURE_SHARD, '--out', pathTo('parquet')],
    );
  },
  'data card': () => printed('data', 'card', games),
  distill: async () => {
    const judged = pathTo('judged');
    const player = ['--agent', 'alphabeta:nodes=20', '--set', 'warmStart.quietPlies=8'];
    await printed('selfplay', ...player, '--games', '24', ...ONE_PROCESS, '--out', judged);
    return printed('distill', '--data', judged, '--passes', '1', '--out', pathTo('patterns'));
  },
  tune: () => printed('tune', '--data', games),
  bench: benchSections,
};

beforeAll(async () => {
  writeFileSync(pathTo('config.json'), JSON.stringify(CONFIG));
  played = await printed('selfplay', '--agent', 'greedy', '--games', '4', ...ONE_PROCESS, '--out', games);
  // `gess study --agent` takes positions with the value of a search.
  const some = ['--where', 'gameId=0', '--where', 'ply=10..20', '--agent', 'alphabeta:depth=1'];
  await runGess('data', 'rescore', games, ...some, '--out', valued);
  trained = await printed('quickstart', '--config', pathTo('config.json'), '--out', run);
}, 60_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const tables = fieldTables();
const places = [...new Set(tables.map(({ place }) => place))];

describe('docs/reference/json-output.md', () => {
  test('has a section for each command with --json, in the order of the help, and no other', async () => {
    const commands = await listCommands();
    const withJson = commands.filter(({ options }) => options.some(({ long }) => long === '--json'));
    expect(documentedCommands()).toEqual(withJson.map((command) => pathOf(command).replace(/^gess /, '')));
  });

  test('has tables of the objects that are printed here', () => {
    expect([...Object.keys(OBJECTS), ...NOT_RUN].sort()).toEqual([...places].sort());
    for (const { within, required, optional } of tables) {
      const names = [...required, ...optional];
      expect([within, names.length > 0, new Set(names).size]).toEqual([within, true, names.length]);
    }
  });

  test.each(Object.keys(OBJECTS))('has the fields of %s', async (place) => {
    const objects = await OBJECTS[place]!();
    expect(objects.length).toBeGreaterThan(0);
    const own = tables.filter((table) => table.place === place);
    expect(own.flatMap((table) => tableFaults(table, objects))).toEqual([]);
  });
});

test('docs/reference/engine.md has the members of an answer that gess analyze lacks', async () => {
  const output = captureOutput();
  const query = Buffer.from('{"id": 1, "moves": "3", "policy": true}\n');
  const command = new Command();
  defineEngine(command, output, () => Readable.from([query]));
  await command.parseAsync(['--json', ...GAME, '--agent', 'mcts:simulations=4'], { from: 'user' });
  const answer = JSON.parse(output.results[0]!) as object;
  const { required, optional } = tables.find(({ place }) => place === 'analyze: A position')!;
  const own = Object.keys(answer).filter((name) => ![...required, ...optional].includes(name));
  expect(own).toEqual(['id', 'turn', 'isDuringSearch', 'policy']);
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/engine.md'), 'utf8');
  const [, rows] = /^### Answers\n\n\| member .*\n.*\n((?:\|.*\n)*)/m.exec(page)!;
  expect(Array.from(rows!.matchAll(/^\| (.*?) \|/gm), ([, names]) => names).join(', ')).toBe(
    own.map((name) => `\`${name}\``).join(', '),
  );
});

test('a fault of a table is found', () => {
  const table: FieldTable = { place: '', within: 'rows', required: ['a'], optional: ['b'] };
  expect(tableFaults(table, [{ rows: [{ a: 1, b: 2 }, { a: 1 }] }])).toEqual([]);
  expect(tableFaults(table, [{ rows: [{ a: 1 }, { b: 2, c: 3 }] }])).toEqual([
    'rows.c: undocumented',
    'rows.a: not marked as optional',
  ]);
  expect(tableFaults(table, [{ rows: { a: 1 } }])).toEqual(['rows.b: not printed']);
});
