import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { registerGame } from '../../../env/games.js';
import { defineReplay } from '../../../scripts/commands/positions/replay-command.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { PUBLISHED_GAME } from '../../env/gess/published-game.js';
import { checkWellFormed } from '../../env/well-formed.js';
import { captureOutput, failGess, runGess, runGessJson } from '../captured-output.js';

const START =
  '1w1w1wwwwwwww1w1w1/www1w1wwww1w1w1www/1w1w1wwwwwwww1w1w1/18/18/1w2w2w2w2w2w1/18/18/18/18/18/18/' +
  '1b2b2b2b2b2b1/18/18/1b1b1bbbbbbbb1b1b1/bbb1b1bbbb1b1b1bbb/1b1b1bbbbbbbb1b1b1 b 0';

describe('perft', () => {
  // The last count by hand: Red's move 0 wins, and so does Yellow's 1 unless Red has blocked it: 49 + 5 * 42 lines
  // remain.
  test.each([
    [['2'], 172_080],
    [['2', '--rules', 'wikipedia'], 158_010],
    [['1', '--position', START], 478],
    [['1', '--moves', ' f6-f7   p15-m12\n'], 478],
    [['2', '--last-ply', 'list'], 172_080],
    [['2', '--last-ply', 'play'], 172_080],
    [['0', '--last-ply', 'play'], 1],
    [['0'], 1],
    [['4', '--game', 'connect-four'], 2401],
    [['3', '--game', 'connect-four', '--moves', '0 1 0 1 0 1'], 259],
  ])('%j counts %d', async (words, nodes) => {
    const result = await runGessJson('perft', ...words);
    expect(result).toEqual({ nodes, depth: Number(words[0]), nodesPerSecond: expect.any(Number) as number });
  });

  test('prints words without --json', async () => {
    const { results } = await runGess('perft', '1');
    expect(results[0]).toMatch(/^478 positions at depth 1, /);
  });

  test.each([
    [['x'], 'argument-value'],
    [['-1'], 'argument-value'],
    [['21'], 'argument-value'],
    [[], 'argument-missing'],
    [['1', '--last-ply', 'guess'], 'option-value'],
    [['1', '--deep'], 'option-unknown'],
    [['1', '--game', 'go'], 'game-unknown'],
    [['1', '--rules', 'house'], 'rules-unknown'],
    [['1', '--position', '18'], 'position-size'],
    [['1', '--moves', 'f6f7'], 'action-syntax'],
    [['1', '--moves', 'f6-f17'], 'illegal-action'],
  ])('%j is refused', async (words, code) => {
    await expect(runGess('perft', ...words)).rejects.toMatchObject({ code });
  });
});

describe('replay', () => {
  test('prints one JSON object', async () => {
    expect(await runGessJson('replay', '--moves', 'f6-f7')).toEqual({
      legal: true,
      illegalPly: null,
      reason: null,
      outcome: null,
      legalCounts: [478, 478],
      rings: { black: ['l3'], white: ['l18'] },
      position: START.replace('/18/1b2b2b2b2b2b1/', '/4b13/1b5b2b2b2b1/').replace('b 0', 'w 1'),
    });
  });

  test('an illegal move is a result; --force plays it', async () => {
    const stopped = await runGessJson('replay', '--moves', PUBLISHED_GAME);
    expect(stopped).toMatchObject({ legal: false, illegalPly: 25 });
    const forced = await runGessJson('replay', '--moves', PUBLISHED_GAME, '--force');
    expect(forced).toMatchObject({
      legal: false,
      illegalPly: 25,
      position: expect.stringMatching(/ b 36$/) as string,
    });
  });

  test('--position starts elsewhere', async () => {
    const won = await runGessJson(
      'replay',
      '--game',
      'connect-four',
      '--moves',
      '0',
      '--position',
      '......./'.repeat(3) + 'ry...../ry...../ry.....',
    );
    expect(won).toMatchObject({ legal: true, outcome: 'red', legalCounts: [7, 0] });
  });

  test('prints words without --json', async () => {
    const { results } = await runGess('replay', '--moves', 'f6-f7');
    expect(results[0]).toMatch(/^legal\nnot over\n/);
  });

  test('an illegal game fails after its result, unless --json reports it or --force plays it', async () => {
    const words = ['replay', '--moves', 'f6-f10'];
    const { results, error } = await failGess(words);
    expect(error).toMatchObject({
      code: 'record-illegal',
      exitCode: 1,
      message: expect.stringMatching(/move 1: f6-f10 of black goes 4 squares/) as string,
    });
    expect(await runGessJson(...words)).toMatchObject({ legal: false });
    expect((await runGess(...words, '--force')).results).toHaveLength(1);
    expect(results[0]).toMatch(/^illegal move 1: 1\. f6-f10 of black goes 4 squares/);
  });

  test('requires moves or a record', async () => {
    await expect(runGess('replay')).rejects.toMatchObject({ code: 'option-missing' });
  });

  /** The answers of `--batch`. */
  async function answersTo(lines: readonly string[], ...words: readonly string[]): Promise<unknown> {
    const output = captureOutput();
    async function* input(): AsyncGenerator<Uint8Array> {
      await Promise.resolve();
      yield Buffer.from(lines.join('\n'));
    }
    const command = new Command('replay');
    defineReplay(command, output, input);
    await command.parseAsync(['--batch', ...words], { from: 'user' });
    return output.results.map((line) => JSON.parse(line) as unknown);
  }

  test('--batch answers every line and continues after an invalid one', async () => {
    const lines = ['{"moves": "f6-f7"}', '', 'what?', '{"game": "connect-four", "moves": "3"}'];
    expect(await answersTo(lines)).toMatchObject([
      { legal: true, legalCounts: [478, 478] },
      { error: { code: 'request-syntax' } },
      { legal: true, legalCounts: [7, 7] },
    ]);
  });

  test('--game, --rules, --position and --force hold for the lines of --batch that leave them out', async () => {
    const lines = ['{}', '{"position": "6/5S/2t3/6/6/s5 l 2 9 9"}', '{"game": "gess", "moves": "f6-f10"}'];
    const position = '6/5S/2t3/6/6/s5 l 230 3 4';
    const words = ['--game', 'quess', '--rules', 'standard,clock=9', '--position', position, '--force'];
    expect(await answersTo(lines, ...words)).toMatchObject([
      { position },
      { position: '6/5S/2t3/6/6/s5 l 2 9 9', clocks: { light: 9, dark: 9 } },
      { legal: false, legalCounts: [478, expect.any(Number)] },
    ]);
  });
});

test("a game's description replaces no field of replay and show", async () => {
  const id = 'telling-four';
  const told = { legal: 5, position: 'nowhere', player: 'nobody', ply: -1, fours: 0 };
  registerGame({ id, create: () => ({ ...connectFour, id, describe: () => told }) });
  const position = '......./......./......./......./......./...r...';
  const replayed = await runGessJson('replay', '--game', id, '--moves', '3');
  expect(replayed).toMatchObject({ legal: true, position, fours: 0 });
  const shown = await runGessJson('show', '--game', id, '--moves', '3');
  expect(shown).toMatchObject({ position, player: 'yellow', ply: 1, fours: 0 });
});

const EXAMPLE = 'examples/records/eureka-53.sgf';

describe('replay of records', () => {
  test('an SGF file has the same result as its moves', async () => {
    for (const flags of [[], ['--force']]) {
      const fromFile = await runGessJson('replay', '--sgf', EXAMPLE, ...flags);
      expect(fromFile).toEqual(await runGessJson('replay', '--moves', PUBLISHED_GAME, ...flags));
    }
  });

  test('prints players, the number of the illegal move and the result', async () => {
    const { results } = await failGess(['replay', '--sgf', EXAMPLE, '--variations']);
    expect(results[0]!.split('\n')).toEqual([
      'Bolchover - Michaels',
      'illegal move 26: 13... c17-c7 of white goes 10 squares, but the piece can go at most 9',
      'not over; result of the record: white has won',
      expect.stringMatching(/ w 25$/) as string,
      'variations tried: 1, with an illegal move: 0',
    ]);
  });

  test.each([
    ['W+', 'white has won'],
    ['W+T', 'white has won (T)'],
    ['Void', "'Void'"],
    ['?', "'?'"],
    ['Draw', 'a draw'],
  ])('the result %s of a record is told as %s', async (result, words) => {
    const file = join(temporaryFolder(), 'game.sgf');
    writeFileSync(file, `(;GM[20]FF[4]SZ[20]RU[eureka]RE[${result}];B[fo:fn])`);
    const { results } = await runGess('replay', '--sgf', file);
    expect(results[0]).toContain(`\nnot over; result of the record: ${words}\n`);
  });

  test('--variations adds the check of the variations', async () => {
    const result = await runGessJson('replay', '--sgf', EXAMPLE, '--variations');
    expect(result).toMatchObject({ illegalPly: 25, variations: { tried: 1, illegal: [] } });
  });

  test('--write makes records of moves and converts between formats', async () => {
    const folder = temporaryFolder();
    const [sgf, json, again] = ['a.sgf', 'b.json', 'c.sgf'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const { messages } = await runGess(
      'replay',
      '--moves',
      'F6xF7 p15-m12',
      '--rules',
      'gach',
      '--write',
      sgf,
    );
    expect(messages).toEqual([`gess replay: wrote ${sgf}`]);
    expect(readFileSync(sgf, 'utf8')).toBe('(;FF[4]GM[20]CA[UTF-8]SZ[20]RU[gach]\n;B[fo:fn]\n;W[pf:mi]\n)\n');
    await runGess('replay', '--sgf', sgf, '--write', json);
    await runGess('replay', '--record', json, '--write', again);
    expect(readFileSync(again, 'utf8')).toBe(readFileSync(sgf, 'utf8'));
    await expect(runGess('replay', '--record', json, '--write', sgf)).rejects.toMatchObject({
      code: 'file-exists',
    });
    await runGess('replay', '--sgf', EXAMPLE, '--force', '--write', sgf, '--overwrite');
    expect(readFileSync(sgf, 'utf8')).toBe(readFileSync(EXAMPLE, 'utf8'));
  });

  test('records of other games are JSON', async () => {
    const json = join(temporaryFolder(), 'game.json');
    await runGess('replay', '--game', 'connect-four', '--moves', '0 1 0 1 0 1 0', '--write', json);
    expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ game: 'connect-four', result: 'red' });
    expect(await runGessJson('replay', '--record', json)).toMatchObject({ legal: true, outcome: 'red' });
  });

  test('--rules override those of the record', async () => {
    const counts = async (...flags: string[]): Promise<unknown> =>
      ((await runGessJson('replay', '--sgf', EXAMPLE, ...flags)) as { legalCounts: number[] }).legalCounts[0];
    expect([await counts(), await counts('--rules', 'osu')]).toEqual([478, 319]);
  });

  test.each([
    [['--sgf', EXAMPLE, '--moves', 'f6-f7'], 'option-conflict'],
    [['--sgf', EXAMPLE, '--record', EXAMPLE], 'option-conflict'],
    [['--sgf', EXAMPLE, '--batch'], 'option-conflict'],
    [['--sgf', EXAMPLE, '--position', START], 'option-conflict'],
    [['--sgf', EXAMPLE, '--game', 'connect-four'], 'option-value'],
    [['--moves', 'f6-f7', '--write', 'game.txt'], 'option-value'],
    [['--moves', 'f6-f7', '--number', '1'], 'option-conflict'],
    [['--batch', '--write', 'game.sgf'], 'option-conflict'],
    [['--batch', '--json'], 'option-conflict'],
    [['--batch', '--rules', 'house'], 'rules-unknown'],
    [['--batch', '--position', '18/18 b 0'], 'position-size'],
    [['--sgf', EXAMPLE, '--number', '2'], 'record-count'],
    [['--record', EXAMPLE], 'record-syntax'],
    [['--sgf', 'package.json'], 'record-syntax'],
    [['--sgf', 'none.sgf'], 'file-missing'],
    [['--sgf', 'examples'], 'file-unreadable'],
    [['--sgf', EXAMPLE, '--rules', 'house'], 'record-content'],
    [['--game', 'connect-four', '--moves', '3', '--write', 'game.sgf'], 'record-game'],
  ])('%j is refused', async (words, code) => {
    await expect(runGess('replay', ...words)).rejects.toMatchObject({ code });
  });
});

describe('show', () => {
  test('draws the board', async () => {
    const { results } = await runGess('show', '--game', 'connect-four', '--moves', '3 3 4');
    expect(results[0]).toBe(
      '.......\n.......\n.......\n.......\n...y...\n...rr..\n0123456\n\n' +
        'ply 3, yellow to move, last move 4\nposition ......./......./......./......./...y.../...rr..',
    );
  });

  test('prints the state as JSON', async () => {
    const shown = await runGessJson('show', '--moves', 'f6-f7', '--rules', 'default');
    expect(shown).toMatchObject({
      game: 'gess',
      rules: 'eureka',
      player: 'white',
      ply: 1,
      outcome: null,
      lastMove: 'f6-f7',
      rings: { black: ['l3'], white: ['l18'] },
    });
    expect((shown as { legalMoves: string[] }).legalMoves).toHaveLength(478);
  });

  test('lists the pieces that can move', async () => {
    const { pieces } = (await runGessJson('show')) as { pieces: { center: string }[] };
    expect(pieces.find(({ center }) => center === 'l3')).toEqual({
      center: 'l3',
      figure: '7-5-7',
      name: 'ring',
      destinations: expect.any(Array) as string[],
    });
    expect(await runGessJson('show', '--game', 'connect-four')).not.toHaveProperty('pieces');
  });

  test('marks the selected piece', async () => {
    const { results } = await runGess('show', '--piece', 'F6');
    expect(results[0]).toContain('piece f6: 2-0-0 (pawn), 3 legal moves');
    await expect(runGess('show', '--piece', 'f66')).rejects.toMatchObject({ code: 'action-syntax' });
  });

  test('draws SVG to stdout or to a file', async () => {
    const path = join(temporaryFolder(), 'board.svg');
    const toStdout = await runGess('show', '--svg', '--moves', 'f6-f7', '--piece', 'l18');
    expect(checkWellFormed(toStdout.results[0]!)[0]).toBe('svg');
    const { results, messages } = await runGess('show', '--moves', 'f6-f7', '--piece', 'l18', '--svg', path);
    expect([results, messages]).toEqual([[], [`gess show: wrote ${path}`]]);
    expect(readFileSync(path, 'utf8').trimEnd()).toBe(toStdout.results[0]);
    const words = ['show', '--game', 'connect-four', '--svg', path];
    await expect(runGess(...words)).rejects.toMatchObject({ code: 'file-exists' });
    await expect(runGess('problems', '--out', path)).rejects.toMatchObject({ code: 'file-exists' });
    expect(readFileSync(path, 'utf8').trimEnd()).toBe(toStdout.results[0]);
    await runGess(...words, '--overwrite');
    expect(readFileSync(path, 'utf8')).toContain('Connect Four');
    await expect(runGess('show', '--svg', '--json')).rejects.toMatchObject({ code: 'option-conflict' });
    await expect(runGess('show', '--svg', join(path, 'x.svg'))).rejects.toMatchObject({
      code: 'write-failed',
    });
  });
});
