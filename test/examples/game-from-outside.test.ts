import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { runGess, runGessJson } from '../scripts/captured-output.js';
import { builtModule } from '../package/built-module.js';

const ROOT = resolve(import.meta.dirname, '..', '..');
const GAME = ['--game', 'games/tic-tac-toe.mjs'];
const CHECKPOINT = 'run/checkpoints/gen-000001';
const DATA = 'run/data/gen-000001';
/** Some steps start the compiled program in a process of its own, or workers. */
const TIMEOUT = 120_000;

const home = process.cwd();
const project = mkdtempSync(join(tmpdir(), 'gess-outside-'));
afterAll(() => {
  process.chdir(home);
  rmSync(project, { recursive: true });
});

interface Failure {
  readonly code: number;
  readonly stderr: string;
}

/** Runs `gess` in a process of its own, which knows no game but those of the package. */
async function gess(...words: readonly string[]): Promise<string> {
  const main = builtModule('scripts/main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { cwd: project });
  return stdout;
}

async function failureOf(...words: readonly string[]): Promise<Failure> {
  return gess(...words).then(
    () => expect.fail('the command succeeded'),
    (error: unknown) => error as Failure,
  );
}

const UNKNOWN = /'tic-tac-toe'; --game \.\/my-game\.mjs /;
/** The error of a command that meets the game without its module. */
const REFUSAL = { code: 'game-unknown', message: expect.stringMatching(UNKNOWN) as string };

/** Trains tic-tac-toe for a generation: the configuration names the module relative to itself. */
beforeAll(async () => {
  for (const name of ['games', 'configs', 'node_modules']) mkdirSync(join(project, name));
  symlinkSync(ROOT, join(project, 'node_modules', 'gess-zero'));
  copyFileSync(builtModule('examples/tic-tac-toe.js'), join(project, 'games', 'tic-tac-toe.mjs'));
  const config = {
    game: { module: '../games/tic-tac-toe.mjs' },
    generations: 1,
    network: { channels: 8, blocks: 1, valueHidden: 8 },
    warmStart: { games: 20 },
    selfPlay: { games: 12, gamesPerShard: 6, processes: 1, search: { simulations: 8 } },
    learner: { batchSize: 32, passes: 1 },
    evaluation: { every: 1, games: 2, opponents: ['careful'], simulations: 8 },
  };
  writeFileSync(join(project, 'configs', 'run.json'), JSON.stringify(config));
  process.chdir(project);
  await gess('train', '--config', 'configs/run.json', '--out', 'run');
}, TIMEOUT);

// The first in this process, before the module is loaded.
test('a checkpoint and shards are refused without --game', { timeout: TIMEOUT }, async () => {
  for (const words of [
    ['data', 'verify', DATA, '--deep'],
    ['export', '--checkpoint', CHECKPOINT, '--out', 'refused'],
    ['inspect', CHECKPOINT],
  ]) {
    await expect(runGess(...words)).rejects.toMatchObject(REFUSAL);
  }
  if (!isLong) return;
  const { code, stderr } = await failureOf('inspect', CHECKPOINT);
  expect(code).toBe(2);
  expect(stderr).toMatch(UNKNOWN);
  expect(stderr).toContain(`[${REFUSAL.code}]`);
});

test('a checkpoint and shards are read with --game', { timeout: TIMEOUT }, async () => {
  expect(await runGessJson('inspect', CHECKPOINT, ...GAME)).toMatchObject({ game: 'tic-tac-toe' });
  expect(await runGessJson('data', 'verify', DATA, '--deep', ...GAME)).toMatchObject({ problems: [] });
});

test(
  'a run stores where its module is, so that its folder is read without --game',
  { timeout: TIMEOUT },
  async () => {
    const verified: unknown = JSON.parse(await gess('data', 'verify', 'run', '--deep', '--json'));
    expect(verified).toMatchObject({ problems: [], unchecked: [] });
    expect(await runGessJson('inspect', 'run')).toMatchObject({ kind: 'run' });
    const file = JSON.parse(readFileSync(join(project, 'run', 'run.json'), 'utf8')) as object;
    expect(file).toMatchObject({
      config: { game: { id: 'tic-tac-toe', module: join(project, 'games', 'tic-tac-toe.mjs') } },
    });
  },
);

test('a network is exported, and plays', { timeout: TIMEOUT }, async () => {
  await runGess('export', '--checkpoint', CHECKPOINT, '--out', 'model', ...GAME);
  expect(await runGessJson('export', '--verify', 'model', ...GAME)).toMatchObject({ positions: 20 });
  const spec = JSON.parse(readFileSync(join(project, 'model', 'spec.json'), 'utf8')) as object;
  expect(spec).toMatchObject({
    game: 'tic-tac-toe',
    observation: { planes: [{ meaning: 'own marks' }, { meaning: "the opponent's marks" }] },
  });
  const match = ['--agent', 'mcts:model=model,simulations=8', '--opponent', 'greedy', '--processes', '1'];
  expect(await runGessJson('evaluate', ...match, '--games', '4', ...GAME)).toMatchObject({ truncated: 0 });
});

test('a match and a ladder are resumed, with --game', { timeout: TIMEOUT }, async () => {
  const players = ['--agent', 'greedy', '--opponent', 'careful'];
  const match = ['evaluate', '--out', 'match', '--processes', '1', ...GAME];
  await runGess(...match, ...players, '--games', '2');
  expect(await runGessJson(...match, '--resume', '--games', '4')).toMatchObject({ games: 4 });
  const other = ['evaluate', '--out', 'match', '--resume', '--game', 'quess'];
  await expect(runGess(...other)).rejects.toMatchObject({ code: 'option-value' });
  const own = ['--player', 'greedy', '--player', 'careful', '--anchor', 'careful'];
  const ladder = ['ladder', ...own, '--out', 'ladder', '--processes', '1', '--games', '2'];
  const before = await runGessJson(...ladder, ...GAME);
  expect(await runGessJson(...ladder, ...GAME)).toEqual(before);
});

test('shards are the same wherever the module lies', { timeout: TIMEOUT }, async () => {
  mkdirSync(join(project, 'elsewhere'));
  copyFileSync(join(project, 'games', 'tic-tac-toe.mjs'), join(project, 'elsewhere', 'game.mjs'));
  const words = ['selfplay', '--agent', 'greedy', '--games', '4', '--processes', '1'];
  await runGess(...words, ...GAME, '--out', 'here');
  await gess(...words, '--game', 'elsewhere/game.mjs', '--out', 'there');
  const [here, there] = ['here', 'there'].map((folder) =>
    readFileSync(join(project, folder, 'shard-000000.json'), 'utf8'),
  );
  expect(there).toBe(here);
});

test('games are shown, analyzed, replayed, played and learnt from', { timeout: TIMEOUT }, async () => {
  expect(await runGessJson('show', ...GAME, '--moves', '4 0')).toMatchObject({ position: 'o../.x./...' });
  expect(await runGessJson('analyze', ...GAME, '--depth', '9')).toMatchObject({ value: 0 });
  expect(await runGessJson('replay', ...GAME, '--moves', '0 3 1 4 2')).toMatchObject({ outcome: 'cross' });
  const bot = ['--agent', 'alphabeta:depth=2', '--games', '4', '--processes', '1'];
  await runGess('selfplay', ...GAME, ...bot, '--out', 'games/shards');
  const learnt = ['--data', 'games/shards', '--out', 'learnt', '--steps', '2', ...GAME];
  await runGess('learn', ...learnt, '--set', 'replay.validationShare=0');
});

test.runIf(isLong)(
  'a run resumes after its module has moved, with --game',
  async () => {
    renameSync(join(project, 'games', 'tic-tac-toe.mjs'), join(project, 'games', 'moved.mjs'));
    try {
      const resume = ['train', '--out', 'run', '--resume', '--set', 'generations=2'];
      expect((await failureOf(...resume)).stderr).toMatch(/expected the file .* found none \[game-module\]/);
      await gess(...resume, '--game', 'games/moved.mjs');
      expect(await gess('inspect', 'run', '--game', 'games/moved.mjs')).toContain('tic-tac-toe');
    } finally {
      renameSync(join(project, 'games', 'moved.mjs'), join(project, 'games', 'tic-tac-toe.mjs'));
    }
  },
  TIMEOUT,
);
