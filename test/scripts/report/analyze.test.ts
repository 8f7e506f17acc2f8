import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { checkWellFormed } from '../../env/well-formed.js';
import { runGess, runGessJson } from '../captured-output.js';

/** Black's piece on l10 breaks White's ring by going to l16. */
const RING = (stone: string): string[] => [
  `9${stone.repeat(3)}6`,
  `9${stone}1${stone}6`,
  `9${stone.repeat(3)}6`,
];
const EMPTY = Array.from({ length: 5 }, () => '18');
const WIN_IN_ONE = `${[...RING('w'), ...EMPTY, '10b7', '10b7', ...EMPTY, ...RING('b')].join('/')} b 0`;

describe('analyze', () => {
  test('prints move, value, nodes and line as one JSON object', async () => {
    const result = await runGessJson('analyze', '--depth', '2', '--moves', 'f6-f7');
    expect(result).toMatchObject({
      game: 'gess',
      rules: 'eureka',
      player: 'white',
      agent: 'alphabeta:depth=2',
      depth: 2,
      nodes: expect.any(Number) as number,
      evaluation: expect.any(Number) as number,
      value: expect.any(Number) as number,
      milliseconds: expect.any(Number) as number,
    });
    const { move, principalVariation, endPosition } = result as {
      move: string;
      principalVariation: string[];
      endPosition: string;
    };
    expect(principalVariation[0]).toBe(move);
    const moves = ['f6-f7', ...principalVariation].join(' ');
    expect(await runGessJson('replay', '--moves', moves)).toMatchObject({
      legal: true,
      position: endPosition,
    });
  });

  test('describes a forced win in words, with the final board', async () => {
    const { results } = await runGess('analyze', '--position', WIN_IN_ONE);
    const lines = results[0]!.split('\n');
    expect(lines.slice(0, 2)).toEqual(['alphabeta:depth=4', 'black wins in 1 ply']);
    expect(lines.slice(3, 5)).toEqual(['black plays l10-l16', 'line l10-l16']);
    expect(results[0]).toContain('\n\nafter the line:\n   a b c');
    expect(results[0]).toContain('black has won, last move l10-l16');
  });

  test.each([
    ['0', 'the position:'],
    ['1', 'after 1 of the 2 moves of the line:'],
    ['9', 'after the line:'],
  ])('with --plies %s the board is that of "%s"', async (plies, title) => {
    const { results } = await runGess('analyze', '--depth', '2', '--plies', plies);
    expect(results[0]!.split('\n')[6]).toBe(title);
  });

  test('a node limit makes the answer reproducible', async () => {
    const answers = await Promise.all(
      [1, 2].map(async () => {
        const answer = (await runGessJson('analyze', '--nodes', '500')) as object;
        return { ...answer, milliseconds: 0 };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ agent: 'alphabeta:nodes=500' });
  });

  // Without its limit, the first search would not end within the time of the test.
  test('--time-ms limits the search alone, or beside a depth', async () => {
    const words = ['analyze', '--time-ms'];
    expect(await runGessJson(...words, '30')).toMatchObject({ agent: 'alphabeta:timeMs=30' });
    expect(await runGessJson(...words, '600000', '--depth', '1')).toMatchObject({
      agent: 'alphabeta:depth=1,timeMs=600000',
      depth: 1,
    });
  });

  test('--nodes has the limit of the option of agents', async () => {
    const words = ['analyze', '--depth', '1', '--nodes'];
    expect(await runGessJson(...words, '1000000000000')).toMatchObject({ depth: 1 });
    await expect(runGess(...words, '1000000000001')).rejects.toMatchObject({ code: 'option-value' });
  });

  test('draws the end of the line, or the board after some of its moves, as SVG', async () => {
    const file = join(temporaryFolder(), 'line.svg');
    const { messages } = await runGess('analyze', '--position', WIN_IN_ONE, '--svg', file);
    expect(messages).toEqual([`gess analyze: wrote ${file}`]);
    const end = readFileSync(file, 'utf8');
    checkWellFormed(end);
    const words = ['analyze', '--position', WIN_IN_ONE, '--svg', file, '--plies', '0'];
    await expect(runGess(...words)).rejects.toMatchObject({ code: 'file-exists' });
    expect(readFileSync(file, 'utf8')).toBe(end);
    await runGess(...words, '--overwrite');
    const start = readFileSync(file, 'utf8');
    checkWellFormed(start);
    expect(start).not.toBe(end);
  });

  test('prints the tree of an mcts search, as text and as JSON', async () => {
    const words = ['analyze', '--game', 'connect-four', '--agent', 'mcts:simulations=600,maxEdges=200000'];
    const { results } = await runGess(...words, '--lines', '2', '--tree', '3');
    const rows = results[0]!.split('\n').slice(5);
    // Two moves, two replies to each, two replies to each of these.
    expect(rows.map((row) => row.search(/\S/))).toEqual([0, 2, 4, 4, 2, 4, 4, 0, 2, 4, 4, 2, 4, 4]);
    const { lines } = (await runGessJson(...words, '--lines', '2', '--tree', '3')) as {
      lines: { move: string; visits: number; replies: { replies: object[] }[] }[];
    };
    expect(rows[0]).toMatch(new RegExp(`^${lines[0]!.move} +${lines[0]!.visits} +[+-]`));
    expect(lines[1]!.replies[1]!.replies).toHaveLength(2);
  });

  test('refuses a tree of agents without one, of records, and of too many moves', async () => {
    await expect(runGess('analyze', '--tree', '2')).rejects.toMatchObject({ code: 'option-conflict' });
    await expect(runGess('analyze', '--sgf', 'game.sgf', '--tree', '2')).rejects.toMatchObject({
      code: 'option-conflict',
    });
    const large = ['--agent', 'mcts:simulations=8', '--lines', '64', '--tree', '3'];
    await expect(runGess('analyze', ...large)).rejects.toMatchObject({ code: 'option-value' });
  });

  test.each(['random', 'greedy', 'mcts:simulations=8'])('%s analyzes Connect Four', async (agent) => {
    const result = await runGessJson('analyze', '--game', 'connect-four', '--agent', agent);
    expect(result).toMatchObject({ player: 'red', move: expect.stringMatching(/^[0-6]$/) as string });
  });

  test.each([
    [['--agent', 'greedy', '--depth', '3'], 'option-conflict'],
    [['--agent', 'greedy', '--time-ms', '3'], 'option-conflict'],
    [['--time-ms', '0'], 'option-value'],
    [['--depth', '0'], 'option-value'],
    [['--depth', '65'], 'option-value'],
    [['--agent', 'oracle'], 'agent-unknown'],
    [['--position', '18'], 'position-size'],
    [['--moves', 'f6-f17'], 'illegal-action'],
    [['--position', WIN_IN_ONE, '--moves', 'l10-l16'], 'game-over'],
    [['--game', 'connect-four', '--moves', '0 1 0 1 0 1 0'], 'game-over'],
    [['--agent', 'policy:model=missing.onnx'], 'model-missing'],
  ])('%j is refused', async (words, code) => {
    await expect(runGess('analyze', ...words)).rejects.toMatchObject({ code });
  });

  test('a damaged model is a failure, not wrong use', async () => {
    const model = join(temporaryFolder(), 'damaged.onnx');
    writeFileSync(model, 'damaged');
    const analysis = runGess('analyze', '--agent', `mcts:model=${model}`);
    await expect(analysis).rejects.toMatchObject({ code: 'model-unreadable', exitCode: 1 });
  });
});
