import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGame } from '../../env/games.js';
import { temporaryFolder } from '../data/temporary-folder.js';
import { needPackages, root, runPython } from '../python.js';
import { writeCarefulShard } from '../training/network/network-fixtures.js';

interface Line {
  readonly position: string;
  readonly values: Readonly<Record<string, number>>;
}

// The values themselves: test/training/matches/move-accuracy.test.ts, with our solver on what this program wrote.
test(
  'solve_connect_four.py draws different positions of shards and judges each legal move',
  { timeout: 120_000 },
  async (context) => {
    await needPackages(context, 'python/requirements-data.txt', ['bitbully', 'pyarrow']);
    const folder = join(temporaryFolder(), 'games');
    mkdirSync(folder);
    const game = createGame('connect-four');
    await writeCarefulShard(game, folder, 12);
    const program = join(root, 'python', 'examples', 'solve_connect_four.py');
    const text = await runPython([program, folder, '--positions', '40', '--seed', '2']);
    expect(await runPython([program, folder, '--positions', '40', '--seed', '2'])).toBe(text);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    expect(new Set(lines.map(({ position }) => position)).size).toBe(40);
    const buffer = new Int32Array(game.maxLegalActions);
    for (const { position, values } of lines) {
      const state = game.parsePosition(position);
      const legal = [...buffer.subarray(0, game.legalActions(state, buffer))];
      expect(Object.keys(values)).toEqual(legal.map((action) => game.formatAction(action)));
      for (const action of legal) {
        game.apply(state, action);
        const outcome = game.outcome(state);
        // The mover has just won, if anybody has.
        if (outcome !== null) expect(values[game.formatAction(action)]).toBe(Math.abs(outcome));
        game.undo(state);
      }
    }
  },
);
