import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { isLong } from '../../long-tests.js';
import { runOfNetworks } from '../../training/run/run-of-networks.js';
import { runGess, runGessJson } from '../captured-output.js';

interface LadderJson {
  readonly finished: boolean;
  readonly anchor: string;
  readonly players: readonly { readonly name: string; readonly rating: number | null }[];
  readonly matches: readonly {
    readonly first: number;
    readonly second: number;
    readonly result: { readonly wins: number; readonly losses: number };
  }[];
}

const ONE_PROCESS = ['--processes', '1'];

test('a ladder of agents is played, continues with more players, and keeps its settings', async () => {
  const out = join(temporaryFolder(), 'ladder');
  const words = [
    '--out',
    out,
    '--game',
    'connect-four',
    '--games',
    '4',
    '--player',
    'random',
    ...ONE_PROCESS,
  ];
  const { results } = await runGess('ladder', ...words);
  expect(results[0]).toMatch(/player +Elo +95 % +games +score\n1 +alphabeta:depth=1 +\+0/);
  const more = (await runGessJson(
    'ladder',
    '--out',
    out,
    '--player',
    'careful',
    ...ONE_PROCESS,
  )) as LadderJson;
  expect(more).toMatchObject({ finished: true, anchor: 'alphabeta:depth=1' });
  expect(more.matches).toHaveLength(3);
  const [best, worst] = ['alphabeta:depth=1', 'random'].map((name) =>
    more.players.findIndex((player) => player.name === name),
  );
  const match = more.matches.find(({ first, second }) =>
    [first, second].every((index) => index === best || index === worst),
  )!;
  const { wins, losses } = match.result;
  expect(Math.sign(wins - losses)).toBe(match.first === best ? 1 : -1);
  const moved = (await runGessJson('ladder', '--out', out, '--anchor', 'random')) as LadderJson;
  expect(moved.players.find(({ name }) => name === 'random')!.rating).toBe(0);
  expect(moved.matches).toEqual(more.matches);
  await expect(runGess('ladder', '--out', out, '--seed', '2')).rejects.toMatchObject({
    code: 'ladder-changed',
  });
});

test.runIf(isLong)(
  "a run's checkpoints play, and their ratings are drawn over generations",
  { timeout: 60_000 },
  async () => {
    const run = await runOfNetworks([1, 2, 3, 4], {
      evaluation: { simulations: 2, exploration: 0.7, symmetries: 2 },
    });
    const folder = temporaryFolder();
    const [out, svg, html] = [join(folder, 'ladder'), join(folder, 'l.svg'), join(folder, 'l.html')];
    const words = [
      '--out',
      out,
      '--run',
      run.paths.folder,
      '--every',
      '2',
      '--games',
      '2',
      '--player',
      'random',
      ...ONE_PROCESS,
    ];
    const ladder = (await runGessJson('ladder', ...words, '--svg', svg, '--html', html)) as LadderJson;
    expect(ladder.players.map(({ name }) => name).sort()).toEqual([
      'alphabeta:depth=1',
      'random',
      'run/gen-000000',
      'run/gen-000002',
    ]);
    const file = await readFile(join(out, 'ladder.json'), 'utf8');
    expect(file).toContain('simulations=2,exploration=0.7,symmetries=2');
    expect(await readFile(svg, 'utf8')).toContain('>random</text>');
    expect(await readFile(html, 'utf8')).toMatch(/<td>run\/gen-000002<\/td>/);
    await expect(runGess('ladder', '--out', out, '--svg', svg)).rejects.toMatchObject({
      code: 'file-exists',
    });
    await expect(runGess('ladder', ...words, '--simulations', '5')).rejects.toMatchObject({
      code: 'ladder-player',
    });
    const other = ['--out', join(folder, 'other'), '--run', run.paths.folder, '--rules', 'none'];
    await expect(runGess('ladder', ...other)).rejects.toMatchObject({ code: 'rules-unknown' });
  },
);

test('a ladder runs a program again only if the program is named again', async () => {
  const out = join(temporaryFolder(), 'ladder');
  const program = join(import.meta.dirname, '..', '..', 'fixtures', 'connect-four-engine.py');
  const player = `engine:cmd="python3 '${program}'"`;
  const words = [
    '--out',
    out,
    '--game',
    'connect-four',
    '--games',
    '2',
    '--anchor',
    'random',
    ...ONE_PROCESS,
  ];
  await runGess('ladder', ...words, '--player', player);
  const more = ['--out', out, '--player', 'careful', ...ONE_PROCESS];
  await expect(runGess('ladder', ...more)).rejects.toMatchObject({ code: 'match-program' });
  const again = (await runGessJson('ladder', ...more, '--player', player)) as LadderJson;
  expect(again.players.map(({ name }) => name).sort()).toEqual(['careful', player, 'random']);
  expect(again.matches).toHaveLength(3);
});

test.each([
  [['--player', 'nonsense'], 'nonsense'],
  [[], 'two players or more'],
  [['--run', 'none'], 'run.json'],
  [['--player', 'random', '--pool', 'nosuch'], 'nats://'],
  [['--player', 'random', '--openings', 'configs/openings/quess-standard.txt'], 'expected openings of gess'],
  [['--player', 'random', '--svg', 'run.json'], '.svg'],
])('invalid options are refused and leave no folder: %j', async (words, reason) => {
  const out = join(temporaryFolder(), 'ladder');
  await expect(runGess('ladder', '--out', out, ...words)).rejects.toThrow(reason);
  expect(existsSync(out)).toBe(false);
});
