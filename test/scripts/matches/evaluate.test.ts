import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMatchTable, tableLines } from '../../../scripts/progress/match-table.js';
import { describeMatch } from '../../../scripts/progress/match-text.js';
import type { MatchSettings } from '../../../training/matches/match-settings.js';
import { estimateElo } from '../../../training/statistics/elo.js';
import { coresFor } from '../../../training/workers/core-binding.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { captureOutput, runGess, runGessJson } from '../captured-output.js';

const PROGRAM = join(import.meta.dirname, '..', '..', 'fixtures', 'connect-four-engine.py');

const ONE_PROCESS = ['--processes', '1'];
const MATCH = [
  '--game',
  'connect-four',
  '--agent',
  'alphabeta:depth=2',
  '--opponent',
  'random',
  ...ONE_PROCESS,
];

test('a match is resumed from its folder, and lengthened', async () => {
  const out = join(temporaryFolder(), 'match');
  const first = await runGessJson('evaluate', ...MATCH, '--games', '4', '--out', out);
  expect(first).toMatchObject({ finished: true, games: 4, openings: { plies: 4 }, sprt: null });
  await expect(runGess('evaluate', ...MATCH, '--out', out)).rejects.toMatchObject({ code: 'match-exists' });
  expect(await runGessJson('evaluate', '--out', out, '--resume')).toEqual(first);
  const longer = await runGessJson('evaluate', '--out', out, '--resume', '--games', '6', ...ONE_PROCESS);
  expect(longer).toMatchObject({ finished: true, games: 6 });
  expect(await readdir(join(out, 'games'))).toHaveLength(6);
  await expect(runGess('evaluate', '--out', out, '--resume', '--seed', '2')).rejects.toThrow('--seed');
  const { messages } = await runGess('evaluate', '--out', out, '--resume', '--games', '2');
  expect(messages[0]).toBe('gess: of 6 stored games, 4 do not count with --games 2');
  await expect(runGess('evaluate', '--out', out, '--resume', '--game', 'quess')).rejects.toMatchObject({
    code: 'option-value',
    message: `expected --game connect-four, the game of the match in ${out}, got quess`,
  });
});

test('a match runs a program again only if --run-programs allows it', async () => {
  const out = join(temporaryFolder(), 'match');
  const words = [
    '--game',
    'connect-four',
    '--agent',
    `engine:cmd="python3 '${PROGRAM}'"`,
    '--opponent',
    'random',
  ];
  await runGess('evaluate', ...words, '--games', '2', '--out', out, ...ONE_PROCESS);
  const resumed = ['--out', out, '--resume', '--games', '4', ...ONE_PROCESS];
  await expect(runGess('evaluate', ...resumed)).rejects.toMatchObject({ code: 'match-program' });
  expect(await readdir(join(out, 'games'))).toHaveLength(2);
  const longer = await runGessJson('evaluate', ...resumed, '--run-programs');
  expect(longer).toMatchObject({ finished: true, games: 4 });
});

/** Two games of an agent against `random`. */
const gamesOf = (agent: string, ...words: string[]): string[] =>
  ['evaluate', '--game', 'connect-four', '--agent', agent, '--opponent', 'random', '--games', '2'].concat(
    ONE_PROCESS,
    words,
  );

test.each([
  ['0', 2],
  ['600000', 0],
])('with --time-margin %s, an engine that is late for each move loses %d of 2 games', async (ms, lost) => {
  const agent = `engine:cmd="python3 '${PROGRAM}'",timeMs=1`;
  const found = await runGessJson(...gamesOf(agent, '--time-margin', ms));
  expect(found).toMatchObject({ finished: true, forfeits: { agent: lost, opponent: 0 } });
});

test.runIf(process.platform === 'linux')(
  '--bind-cores binds a process to one core, and with it the program of an agent',
  async () => {
    const seen = join(temporaryFolder(), 'cores');
    const look = `grep Cpus_allowed_list /proc/self/status >> '${seen}'`;
    await runGess(...gamesOf(`engine:cmd="${look}; exec python3 '${PROGRAM}'"`, '--bind-cores'));
    const lists = (await readFile(seen, 'utf8')).trim().split('\n');
    expect([...new Set(lists)]).toEqual([`Cpus_allowed_list:\t${coresFor(1)[0]!}`]);
  },
);

test('a book whose name begins with gess-zero/ is one of the package', async () => {
  const book = 'configs/openings/quess-standard.txt';
  const words = ['--game', 'quess', '--agent', 'random', '--opponent', 'random', '--games', '2'];
  const found = await runGessJson('evaluate', ...words, '--openings', `gess-zero/${book}`, ...ONE_PROCESS);
  expect(found).toMatchObject({ openings: { book: join(process.cwd(), book) } });
});

test('a sequential test stops the match and is described', async () => {
  const { results } = await runGess('evaluate', ...MATCH, '--games', '400', '--sprt', '0,300');
  expect(results[0]).toMatch(/sequential test of 0 against 300 Elo .*: accepts H1, 300/);
  expect(results[0]).toContain('normalised Elo and likelihood of superiority: need 10 pairs');
});

test('the errors and the scale of a sequential test are those of the options', async () => {
  const words = ['evaluate', ...MATCH, '--games', '4', '--sprt', '0,100', '--alpha', '0.1', '--beta', '0.2'];
  const { results } = await runGess(...words, '--sprt-scale', 'normalized');
  // From ln(0.2 / 0.9) to ln(0.8 / 0.1).
  expect(results[0]).toMatch(
    /0 against 100 normalised Elo \(alpha 0.1, beta 0.2\): .* ratio -?\d\.\d\d \[-1\.50, 2\.08\]/,
  );
});

test.each([
  [['--sprt', '20,0'], 'ELO0 < ELO1'],
  [['--sprt', '0,20', '--beta', '0.5'], '0.5'],
  [['--beta', '0.1'], '--sprt'],
  [['--sprt-scale', 'normalized'], '--sprt'],
  [['--sprt', '0,20', '--alpha', '0.9'], '0.5'],
  [['--openings', 'none.txt', '--opening-plies', '3'], 'cannot be used'],
])('wrong options are refused: %j', async (words, reason) => {
  await expect(runGess('evaluate', ...MATCH, ...words)).rejects.toThrow(reason);
});

test.each([
  ['model-missing', ['--agent', 'mcts:model=nosuch', '--opponent', 'random']],
  ['pool-address', ['--agent', 'random', '--opponent', 'random', '--pool', 'nosuch']],
  ['opening-too-long', ['--agent', 'random', '--opponent', 'random', '--opening-plies', '60']],
])('a match that cannot be played leaves no folder: %s', async (code, words) => {
  const out = join(temporaryFolder(), 'match');
  const match = runGess('evaluate', '--game', 'connect-four', ...words, '--out', out);
  await expect(match).rejects.toMatchObject({ code });
  expect(existsSync(out)).toBe(false);
});

test.each([160, 80, 60, 40])('the table fits into %d columns, with count, rate and time left', (columns) => {
  const elo = estimateElo([4, 0, 0, 0, 499_995]);
  const result = { ...elo, wins: 999_990, draws: 0, losses: 8, truncated: 0, meanPlies: 1 };
  const rest = { forfeits: { agent: 0, opponent: 0 }, pentanomial: [], msPerMove: { agent: 1, opponent: 1 } };
  const sprt = { llr: -123.456, llrLow: -2.94, llrHigh: 2.94, accepted: null };
  const report = { finished: false, games: 999_998, result: { ...result, ...rest }, sprt };
  const lines = tableLines(report, 1_000_000, { firstGames: 0, startMs: -1e9 }, columns);
  expect(lines[0]!.length).toBeLessThanOrEqual(columns);
  expect(lines[0]).toMatch(/^999998\/1000000 .* \d+(?:\.\d+)? +\d+ s$/);
  expect(lines[0]!.includes('999990')).toBe(columns >= 80);
  expect(lines[0]!.includes('[')).toBe(columns >= 60);
});

test('the result says which drawn games reached the ply limit', () => {
  const elo = estimateElo([0, 0, 1, 1, 0]);
  const result = { ...elo, wins: 1, draws: 3, losses: 0, truncated: 2, meanPlies: 300 };
  const rest = { forfeits: { agent: 0, opponent: 0 }, pentanomial: [], msPerMove: { agent: 1, opponent: 1 } };
  const settings = {
    agent: 'greedy',
    opponent: 'random',
    openings: { plies: 4 },
  } as unknown as MatchSettings;
  const report = { finished: true, games: 4, result: { ...result, ...rest }, sprt: null };
  expect(describeMatch(settings, report)).toContain(
    'greedy against random: 1 won, 3 drawn (2 without a result at the ply limit, scored as drawn), 0 lost',
  );
});

test('a match that one player won throughout bounds Elo on one side, and has no normalised Elo', () => {
  const pentanomial = [0, 0, 0, 0, 10];
  const counts = { wins: 20, draws: 0, losses: 0, truncated: 0, meanPlies: 30, pentanomial };
  const rest = { forfeits: { agent: 0, opponent: 0 }, msPerMove: { agent: 1, opponent: 1 } };
  const result = { ...estimateElo(pentanomial), ...counts, ...rest };
  const settings = { openings: { plies: 4 } } as unknown as MatchSettings;
  const lines = describeMatch(settings, { finished: true, games: 20, result, sprt: null }).split('\n');
  expect(lines[1]).toMatch(/^Elo > \+\d+ \(95 %\), pairs/);
  expect(lines[2]).toMatch(
    /^normalised Elo: none, all pairs have the same points; likelihood of superiority/,
  );
});

test('before the first game the table shows the time so far', () => {
  const report = { finished: false, games: 0, result: null, sprt: null };
  const [line] = tableLines(report, 40, { firstGames: 0, startMs: performance.now() - 12_000 });
  expect(line).toMatch(/ 0\/40 .* 12 s so far$/);
});

test('without a terminal, the names of the columns come with the first line, once', () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const output = captureOutput();
  const table = createMatchTable(output, 40);
  table.update({ finished: false, games: 0, result: null, sprt: null });
  expect(output.messages).toEqual([]);
  vi.advanceTimersByTime(120_000);
  table.stop();
  expect(output.messages.join('\n').split('\n')).toEqual([
    expect.stringMatching(/^ +games +won .* left$/),
    expect.stringMatching(/ 0\/40 /),
    expect.stringMatching(/ 0\/40 /),
  ]);
});
