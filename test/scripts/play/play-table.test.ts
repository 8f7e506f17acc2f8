import { expect, test } from 'vitest';
import { createGame } from '../../../env/games.js';
import { PlaySession } from '../../../scripts/play/play-session.js';
import { PlayTable } from '../../../scripts/play/play-table.js';
import { SavedGame } from '../../../scripts/play/saved-game.js';

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
