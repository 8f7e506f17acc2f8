import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { definePlay } from '../../../scripts/commands/positions/play-command.js';
import { SavedGame } from '../../../scripts/play/saved-game.js';
import { type Captured, captureOutput } from '../captured-output.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'play-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** Plays with these lines on stdin. A function among them is called when the lines before it have been executed. */
async function play(
  words: readonly string[],
  lines: readonly (string | (() => Promise<void>))[],
  output = captureOutput(),
): Promise<Captured> {
  const command = new Command('play');
  definePlay(command, output, async function* () {
    for (const line of lines) {
      if (typeof line === 'string') yield Buffer.from(`${line}\n`);
      else await line();
    }
  });
  await command.parseAsync(words, { from: 'user' });
  return output;
}

const between = ['--game', 'connect-four', '--side', 'both'];

test('a whole game between two people is shown, saved after each move, and explained at its end', async () => {
  const path = join(folder, 'game.json');
  const { results, messages } = await play([...between, '--save', path], ['3', '4', '3', '4', '3', '4', '3']);
  const text = results.join('\n');
  expect(results.filter((line) => /^(red|yellow) \d$/.test(line))).toEqual([
    ...['red 3', 'yellow 4', 'red 3', 'yellow 4', 'red 3', 'yellow 4', 'red 3'],
  ]);
  expect(text).toContain('The game is over: red has won');
  expect(messages).toEqual([`gess play: saved as ${path}`]);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
    game: 'connect-four',
    players: ['person', 'person'],
    result: 'red',
    moves: ['3', '4', '3', '4', '3', '4', '3'],
  });
});

test('a game that cannot be saved is an error at the end, and a place that cannot have it before the first move', async () => {
  const run = join(folder, 'run');
  await mkdir(join(run, 'checkpoints'), { recursive: true });
  await writeFile(join(run, 'run.json'), '{}');
  await expect(play([...between, '--save', join(run, 'game.json')], ['3'])).rejects.toMatchObject({
    code: 'output-misplaced',
  });
  const path = join(folder, 'new', 'game.json');
  const output = captureOutput();
  const closeFolder = async (): Promise<void> => {
    await rm(join(folder, 'new'), { recursive: true });
    await writeFile(join(folder, 'new'), '');
  };
  const ended = play([...between, '--save', path], ['3', closeFolder, '4'], output);
  await expect(ended).rejects.toMatchObject({ code: 'write-failed' });
  expect(output.results.join('\n')).toContain('the game is not saved');
  expect(output.messages).toEqual([]);
});

test('garbage and wrong commands change nothing', async () => {
  const path = join(folder, 'game.json');
  const garbage = [
    '',
    '\u0000',
    '🙂',
    '3-3',
    'x'.repeat(3000),
    'level 99',
    'opponent bogus',
    'side green',
    '__proto__',
  ];
  const { results } = await play(
    [...between, '--save', path],
    ['3', ...garbage, 'redo', '4', 'undo', '2', 'quit', '1'],
  );
  expect(results.join('\n')).toContain("expected a side of red, yellow, both, or first, second; got 'green'");
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ moves: ['3', '2'] });
});

test('a game that ended by resignation goes on only after it is reopened', async () => {
  const path = join(folder, 'game.json');
  const words = [...between, '--save', path];
  const { results } = await play(words, ['3', '4', 'undo', 'resign', 'redo', 'quit']);
  expect(results.join('\n')).toContain('the game is over');
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ moves: ['3'], result: 'red+R' });
});

test.each([
  'engine:cmd="touch PROOF"',
  'policy:model=FOLDER/evil.onnx',
  'mcts:model=FOLDER/evil.onnx',
  'mcts:model=FOLDER/evil.onnx,network=gess',
  'mcts:model=connect-four,network=FOLDER',
  'alphabeta:network=FOLDER,depth=1',
])('a saved game runs no program and opens no file that it names as opponent: %s', async (text) => {
  const path = join(folder, 'game.json');
  const proof = join(folder, 'proof');
  const opponent = text.replace('PROOF', proof).replace('FOLDER', folder);
  const game = { format: 'gess-zero-record', version: 1, game: 'connect-four', rules: 'standard' };
  const players = ['person', opponent];
  await writeFile(path, JSON.stringify({ ...game, event: 'gess play', players, moves: ['3', '3'] }));
  const { results } = await play(['--resume', path], ['position', 'quit']);
  expect(results.join('\n')).toContain('......./......./......./......./...y.../...r...');
  await expect(access(proof)).rejects.toThrow('ENOENT');
});

test('a saved game is resumed where it stopped, with the sides as they were', async () => {
  const path = join(folder, 'game.sgf');
  const { messages } = await play(['--save', path, '--level', '2', '--side', 'white'], ['p15-m12', 'quit']);
  expect(messages.join('\n')).toContain(`resume it with: gess play --resume ${path}`);
  const first = await readFile(path, 'utf8');
  expect(first).toContain('PB[greedy]PW[person]');
  const { results } = await play(['--resume', path], ['position', 'quit']);
  expect(results.join('\n')).toContain('white p15-m12');
  expect(await readFile(path, 'utf8')).toBe(first);
});

test('the opponent of a record that names a file is replaced, and the program says so', async () => {
  const path = join(folder, 'game.json');
  const record = { format: 'gess-zero-record', version: 1, game: 'connect-four', rules: 'standard' };
  await writeFile(path, JSON.stringify({ ...record, players: ['person', 'mcts:model=my.onnx'], moves: [] }));
  const { messages } = await play(['--resume', path, '--save', join(folder, 'new.json')], ['quit']);
  expect(messages[0]).toMatch(
    /^gess play: mcts:model=connect-four.* replaces the opponent 'mcts:model=my\.onnx', which/,
  );
  const other = play(['--resume', path, '--game', 'quess'], ['quit']);
  await expect(other).rejects.toMatchObject({ code: 'option-value' });
});

test('a folder in which no game can be saved is an error before the first move', async () => {
  await writeFile(join(folder, 'games'), '');
  const before = process.cwd();
  process.chdir(folder);
  try {
    await expect(play(between, ['3'])).rejects.toMatchObject({ code: 'write-failed' });
  } finally {
    process.chdir(before);
  }
});

test('a game of another program is resumed in a new file of its own, without facts in the game after it', async () => {
  const path = join(folder, 'old.json');
  const facts = { event: 'Old Event', date: '1994-01-01', comment: 'an old game' };
  const old = { format: 'gess-zero-record', version: 1, game: 'connect-four', rules: 'standard' };
  await writeFile(path, JSON.stringify({ ...old, ...facts, players: ['person', 'person'], moves: ['3'] }));
  const before = process.cwd();
  process.chdir(folder);
  try {
    await play(['--resume', path, '--side', 'both'], ['4', 'new', '3', 'quit']);
    // The newest game, although its name is not the greatest text.
    await play(['--resume'], ['5', 'quit']);
    const names = await readdir('games');
    expect(names).toHaveLength(2);
    const games = await Promise.all(names.map(async (name) => readFile(join('games', name), 'utf8')));
    const records = games.map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(records.map(({ event }) => event)).toEqual(['gess play', 'gess play']);
    const continued = records.find(({ date }) => date === '1994-01-01');
    expect(continued).toMatchObject({ comment: 'an old game', moves: ['3', '4'] });
    const [next] = records.filter((record) => record !== continued);
    expect(next).toMatchObject({ moves: ['3', '5'] });
    expect(next).not.toHaveProperty('comment');
  } finally {
    process.chdir(before);
  }
});

test('a game has one player at a time, and is resumed after the first one has left', async () => {
  const path = join(folder, 'game.json');
  const words = ['--resume', path];
  let refusal: unknown;
  const resume = async (): Promise<void> => {
    refusal = await play(words, ['5']).catch((error: unknown) => error);
  };
  await play([...between, '--save', path], ['3', resume, '4', 'quit']);
  expect(refusal).toMatchObject({ code: 'run-locked', message: expect.stringContaining(path) as string });
  await play(words, ['2', 'quit']);
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ moves: ['3', '4', '2'] });
  expect(await readdir(folder)).toEqual(['game.json']);
});

test('games that begin at the same time get different names', async () => {
  const before = process.cwd();
  process.chdir(folder);
  try {
    const games = ['3', '4', '5'].map((move) => ({ move, saved: new SavedGame() }));
    const record = { game: 'connect-four', rules: 'standard', event: 'gess play' };
    await Promise.all(games.map(({ move, saved }) => saved.save({ ...record, moves: [{ move }] })));
    for (const { move, saved } of games) {
      expect(JSON.parse(await readFile(saved.file!, 'utf8'))).toMatchObject({ moves: [move] });
      saved.release();
    }
    expect(await readdir('games')).toHaveLength(3);
  } finally {
    process.chdir(before);
  }
});

test('a level above those of the rules is refused, and the help names the highest', async () => {
  const { results } = await play(['--rules', 'gach'], ['help', 'quit']);
  expect(results.join('\n')).toContain('level 1-7 ');
  expect(results.join('\n')).toContain('play black, white or both');
  await expect(play(['--rules', 'gach', '--level', '8'], ['quit'])).rejects.toMatchObject({
    code: 'option-value',
    message: expect.stringContaining('from 1 to 7') as string,
  });
});
