import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { COMMAND_ACTIONS } from '../../../scripts/play/command-actions.js';
import { PlaySession } from '../../../scripts/play/play-session.js';
import { PlayTable } from '../../../scripts/play/play-table.js';
import { SavedGame } from '../../../scripts/play/saved-game.js';
import { loadGameModule } from '../../../training/games/game-module.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const DIST = join(import.meta.dirname, '..', '..', '..', 'dist');

/** Threads of later tests load the modules of earlier ones, too. */
const modules = mkdtempSync(join(tmpdir(), 'gess-modules-'));
afterAll(() => {
  rmSync(modules, { recursive: true });
});

/** The source of a game that is Connect Four; once, the first move of a search in a thread ends that thread. */
function fatalGame(id: string, mark: string): string {
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
    const game = { ...connectFour, id: ${JSON.stringify(id)}, apply };
    export default { id: game.id, create: () => game };`;
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

/** A table in whose game the thread of the opponent ends at its first search, but not at the next one. */
async function fatalTable(id: string): Promise<PlayTable> {
  const path = join(modules, `${id}.mjs`);
  writeFileSync(path, fatalGame(id, join(modules, `${id}-ended`)));
  await loadGameModule(path);
  const session = new PlaySession(createGame(id), { seats: ['person', 'agent'] });
  const agents = { opponent: 'alphabeta:depth=2', adviser: 'random', seed: 1, analysisMs: undefined };
  const saved = new SavedGame(join(temporaryFolder(), 'game.json'));
  return new PlayTable({ session, saved, facts: {}, ...agents });
}

test('a search whose thread ends is an error, and the next search has a new thread', async () => {
  const table = await fatalTable('fatal');
  const { session } = table;
  await expect(table.play(3)).rejects.toMatchObject({
    code: 'play-agent',
    message: expect.stringContaining('ended with exit code 7') as string,
  });
  expect([session.moves.length, table.thinking]).toEqual([1, undefined]);
  await table.letAgentMove();
  expect(session.moves).toHaveLength(2);
  await table.close();
});

test('a new opponent moves in place of one that failed at its move', async () => {
  const table = await fatalTable('fatal-again');
  await expect(table.play(3)).rejects.toMatchObject({ code: 'play-agent' });
  await COMMAND_ACTIONS.opponent(table, 'random');
  expect(table.session.moves).toHaveLength(2);
  await table.close();
});

test('the seats stay if the opponent of new ones cannot be loaded', async () => {
  const folder = temporaryFolder();
  const session = new PlaySession(createGame('connect-four'), { seats: ['person', 'person'] });
  const opponent = `mcts:model=${join(folder, 'missing.onnx')}`;
  const saved = new SavedGame(join(folder, 'game.json'));
  const agents = { opponent, adviser: 'random', seed: 1, analysisMs: undefined };
  const table = new PlayTable({ session, saved, facts: {}, ...agents });
  await expect(COMMAND_ACTIONS.side(table, 'red')).rejects.toMatchObject({ code: 'play-agent' });
  expect(session.seats).toEqual(['person', 'person']);
  await table.close();
});
