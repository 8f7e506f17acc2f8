import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { PlaySession } from '../../../scripts/play/play-session.js';
import { PlayTable } from '../../../scripts/play/play-table.js';
import { SavedGame } from '../../../scripts/play/saved-game.js';
import { loadGameModule } from '../../../training/games/game-module.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const DIST = join(import.meta.dirname, '..', '..', '..', 'dist');

/** The source of a game that is Connect Four; once, the first move of a search in a thread ends that thread. */
function fatalGame(mark: string): string {
  return `
    import { existsSync, writeFileSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    import { connectFour } from ${JSON.stringify(join(DIST, 'env', 'connect-four', 'connect-four.js'))};
    const apply = (state, action) => {
      if (!isMainThread && !existsSync(${JSON.stringify(mark)})) {
        writeFileSync(${JSON.stringify(mark)}, '');
        process.exit(7);
      }
      connectFour.apply(state, action);
    };
    const game = { ...connectFour, id: 'fatal', apply };
    export default { id: 'fatal', create: () => game };`;
}

/** A file whose writing ends when `end` is called. */
class HeldGame extends SavedGame {
  end: () => void = () => undefined;

  override save(): Promise<void> {
    return new Promise((resolve) => {
      this.end = resolve;
    });
  }
}

test('a move is shown only after it has been saved', async () => {
  const saved = new HeldGame('game.json');
  const session = new PlaySession(createGame('connect-four'), { seats: ['person', 'person'] });
  const agents = { opponent: 'random', adviser: 'random', seed: 1, analysisMs: undefined };
  const table = new PlayTable({ session, saved, facts: {}, ...agents });
  let updates = 0;
  table.view = { update: () => (updates += 1), tell: () => undefined };
  const playing = table.play(3);
  expect([table.isSaving, updates]).toEqual([true, 0]);
  saved.end();
  await playing;
  expect([table.isSaving, updates]).toEqual([false, 1]);
});

test('a search whose thread ends is an error, and the next search has a new thread', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'fatal.mjs');
  writeFileSync(path, fatalGame(join(folder, 'ended')));
  await loadGameModule(path);
  const session = new PlaySession(createGame('fatal'), { seats: ['person', 'agent'] });
  const agents = { opponent: 'alphabeta:depth=2', adviser: 'random', seed: 1, analysisMs: undefined };
  const saved = new SavedGame(join(folder, 'game.json'));
  const table = new PlayTable({ session, saved, facts: {}, ...agents });
  await expect(table.play(3)).rejects.toMatchObject({
    code: 'play-agent',
    message: expect.stringContaining('ended with exit code 7') as string,
  });
  expect([session.moves.length, table.thinking]).toEqual([1, undefined]);
  await table.letAgentMove();
  expect(session.moves).toHaveLength(2);
  await table.close();
});
