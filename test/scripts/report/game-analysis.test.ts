import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSgf } from '../../../data/records/sgf-reading.js';
import { judge } from '../../../session/judgement.js';
import { isLong } from '../../long-tests.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { createProgram } from '../../../scripts/program.js';
import { captureOutput, runGess, runGessJson } from '../captured-output.js';
import { builtModule } from '../../package/built-module.js';

const MAIN = builtModule('scripts/main.js');
const EUREKA = join(import.meta.dirname, '..', '..', '..', 'examples', 'records', 'eureka-53.sgf');

/** A game of Connect Four in which red wins in column 0 and yellow could have prevented it. */
const MOVES = ['0', '1', '0', '1', '0', '6', '0'];
const GAME = {
  format: 'gess-zero-record',
  version: 1,
  game: 'connect-four',
  rules: 'standard',
  moves: MOVES,
};

interface AnalyzedMove {
  readonly number: string;
  readonly player: string;
  readonly move: string;
  readonly position: string;
  readonly legal: boolean;
  readonly value: number;
  readonly loss: number | null;
  readonly judgement: string | null;
  readonly best: string;
  readonly lines: readonly { readonly move: string; readonly value: number }[];
}
interface AnalyzedGame {
  readonly complete: boolean;
  readonly moves: readonly AnalyzedMove[];
  readonly summary: readonly { readonly player: string; readonly blunders: number }[];
}

function gameFile(): string {
  const file = join(temporaryFolder(), 'game.json');
  writeFileSync(file, JSON.stringify(GAME));
  return file;
}

test('a loss is judged by the limits of lichess', () => {
  expect([0, 0.09, 0.1, 0.2, 0.29, 0.3, 2].map((loss) => judge(loss)?.mark ?? '')).toEqual([
    ...['', '', '?!', '?', '?', '??', '??'],
  ]);
});

test('the move that loses a game is a blunder, the winning move the best', async () => {
  const words = ['analyze', '--record', gameFile(), '--agent', 'alphabeta:depth=6', '--lines', '2'];
  const { complete, moves, summary } = (await runGessJson(...words)) as AnalyzedGame;
  expect(complete).toBe(true);
  expect(moves.map(({ move }) => move)).toEqual(MOVES);
  expect(moves.map(({ number }) => number)).toEqual(['1.', '1...', '2.', '2...', '3.', '3...', '4.']);
  expect(moves[5]).toMatchObject({ player: 'yellow', judgement: 'blunder', best: '0', value: -1 });
  expect(moves[6]).toMatchObject({ player: 'red', judgement: null, best: '0', value: 1, loss: 0 });
  expect(summary).toMatchObject([
    { player: 'red', blunders: 0 },
    { player: 'yellow', blunders: 1 },
  ]);
  for (const { lines } of moves) {
    expect(lines).toHaveLength(2);
    expect(lines[0]!.value).toBeGreaterThanOrEqual(lines[1]!.value);
  }
});

test('positions are searched with the time that earlier moves took off the clocks', async () => {
  const file = join(temporaryFolder(), 'clocks.json');
  const start = '6/5S/2t3/6/6/s5 l 230 60 60';
  const moves = [{ move: 'B6-C6', seconds: 10 }, { move: 'F1-F4', seconds: 2.5 }, { move: 'C6-C3' }];
  const record = { ...GAME, game: 'quess', rules: 'standard,clock=60', position: start, moves };
  writeFileSync(file, JSON.stringify(record));
  const words = ['analyze', '--record', file, '--agent', 'alphabeta:depth=1', '--lines', '64'];
  const { moves: analyzed } = (await runGessJson(...words)) as AnalyzedGame;
  expect(analyzed.map(({ position }) => position.split(' ').slice(2).join(' '))).toEqual([
    ...['230 60 60', '231 50 60', '232 50 57.5'],
  ]);
  // One piece each is left: the player with more time wins.
  expect(analyzed[2]!.lines.find(({ move }) => move === 'C6-C3')).toMatchObject({ value: -1 });
});

test.each([
  ['--record', '--html', '.html'],
  ['--record', '--write', '.json'],
  ['--moves', '--svg', '.svg'],
])('analyze %s %s prints its result before it writes, which may fail', async (source, option, ending) => {
  const file = join(temporaryFolder(), `out${ending}`);
  const output = captureOutput();
  const result = (text: string): void => {
    output.results.push(text);
    writeFileSync(file, 'the disk is full');
  };
  const input = source === '--moves' ? '0 1' : gameFile();
  const words = ['analyze', source, input, '--game', 'connect-four', '--depth', '1', option, file];
  const analyzing = createProgram({ ...output, result }).parseAsync(words, { from: 'user' });
  await expect(analyzing).rejects.toMatchObject({ code: 'file-exists' });
  expect(output.results).toHaveLength(1);
});

describe('the published game', () => {
  test('is analyzed with its illegal move, and written with its own comments and variations kept', async () => {
    const written = join(temporaryFolder(), 'analyzed.sgf');
    const words = ['analyze', '--sgf', EUREKA, '--agent', 'alphabeta:depth=1', '--write', written];
    await expect(runGess(...words)).rejects.toMatchObject({ code: 'record-illegal' });
    const { moves } = (await runGessJson(...words, '--force')) as AnalyzedGame;
    expect(moves.filter(({ legal }) => !legal)).toMatchObject([
      { move: 'c17-c7', loss: null, judgement: null },
    ]);
    const [before, after] = [EUREKA, written].map((file) => readSgf(readFileSync(file, 'utf8')));
    const own = after!.moves.map(({ comment = '', properties = {}, ...move }) => {
      const lines = comment.split('\n').filter((line) => !line.startsWith('gess analyze: '));
      const { V, BM, DO, ...others } = properties;
      expect([V?.length, [BM, DO].filter(Boolean).length]).toEqual([1, expect.any(Number)]);
      return {
        ...move,
        ...(lines.length > 0 && { comment: lines.join('\n') }),
        ...(Object.keys(others).length > 0 && { properties: others }),
      };
    });
    expect({ ...after, moves: own }).toEqual(before);
    // A second analysis replaces the lines of the first.
    await runGess('analyze', '--sgf', written, ...words.slice(3), '--force', '--overwrite');
    expect(readSgf(readFileSync(written, 'utf8'))).toEqual(after);
  });
});

test.each([
  [['--sgf', EUREKA, '--record', 'x.json'], 'option-conflict'],
  [['--sgf', EUREKA, '--svg', 'x.svg'], 'option-conflict'],
  [['--html', 'x.html'], 'option-conflict'],
  [['--sgf', EUREKA, '--html', 'x.txt'], 'option-value'],
  [['--sgf', EUREKA, '--write', 'x.txt'], 'option-value'],
  [['--sgf', EUREKA, '--write', EUREKA], 'file-exists'],
  [['--sgf', 'missing.sgf'], 'file-missing'],
  [['--lines', '0'], 'option-value'],
])('%j is refused', async (words, code) => {
  await expect(runGess('analyze', ...words)).rejects.toMatchObject({ code });
});

test(
  'the page has the boards, the marks and the texts of the record as text',
  { timeout: 60_000 },
  async () => {
    const folder = temporaryFolder();
    const [record, page] = [join(folder, 'game.json'), join(folder, 'game.html')];
    const comment = '</script><script>document.title = "forged"</script>';
    const moves = MOVES.map((move, index) => (index === 5 ? { move, comment } : move));
    writeFileSync(record, JSON.stringify({ ...GAME, players: [comment, null], moves }));
    await runGess('analyze', '--record', record, '--agent', 'alphabeta:depth=4', '--html', page);
    const text = readFileSync(page, 'utf8');
    expect(text.match(/<\/?script/g)).toHaveLength(4);
    expect(text).not.toMatch(/(?:src|href)=/);
    const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
      (name) => spawnSync(name, ['--version']).status === 0,
    );
    if (chromium === undefined) return;
    const words = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=2000', '--dump-dom'];
    const { stdout } = spawnSync(chromium, [...words, `file://${page}#6`], { encoding: 'utf8' });
    expect(stdout).toMatch(/<strong>3\.\.\. 6 <\/strong><strong class="blunder">\?\?<\/strong>/);
    expect(stdout).toMatch(/<p class="comment">&lt;\/script&gt;/);
    expect(stdout).toMatch(/id="board"><svg/);
    expect(stdout).toMatch(/data-ply="6" aria-current="true"/);
    expect(stdout).not.toContain('<title>forged');
  },
);

test('Ctrl-C ends a search without a limit with its best result so far', { timeout: 60_000 }, async () => {
  const words = ['analyze', '--game', 'connect-four', '--agent', 'solver', '--json'];
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { result: '', messages: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.result += chunk.toString()));
  const isSearching = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      output.messages += chunk.toString();
      if (output.messages.includes('gess: searching, ')) resolve();
    });
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await isSearching;
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(JSON.parse(output.result)).toMatchObject({ agent: 'solver', value: null });
});

// The first progress line appears after ten seconds.
test.runIf(isLong)('Ctrl-C keeps the moves that were analyzed', { timeout: 60_000 }, async () => {
  const written = join(temporaryFolder(), 'part.sgf');
  const words = [
    'analyze',
    '--sgf',
    EUREKA,
    '--force',
    '--agent',
    'alphabeta:timeMs=600',
    '--json',
    '--write',
    written,
  ];
  const child = spawn(process.execPath, [MAIN, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  let result = '';
  child.stdout.on('data', (chunk: Buffer) => (result += chunk.toString()));
  const hasBegun = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('/37 positions')) resolve();
    });
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await hasBegun;
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  const { complete, moves } = JSON.parse(result) as AnalyzedGame;
  expect(complete).toBe(false);
  expect(moves.length).toBeGreaterThan(0);
  expect(moves.length).toBeLessThan(36);
  expect(existsSync(written)).toBe(true);
});
