import { expect, test } from 'vitest';
import { drawCarefulAction } from '../../../agents/immediate/careful-agent.js';
import { createGame } from '../../../env/games.js';
import { createRng } from '../../../env/random.js';
import { QuietWatch } from '../../../training/self-play/quiet-watch.js';

test('counts the plies of Gess since the number of stones last changed', () => {
  const game = createGame('gess');
  const rng = createRng(7);
  /** The stones in the text of the board. */
  const stonesOf = (state: unknown): string => {
    const [board] = game.formatPosition(state).split(' ');
    return Array.from(board!.replace(/[^bw]/g, '')).sort().join('');
  };
  let [events, quiet] = [0, 0];
  for (let played = 0; played < 4; played++) {
    const state = game.initialState();
    const watch = new QuietWatch(game, state);
    expect(watch.plies).toBe(0);
    let expected = 0;
    while (game.outcome(state) === null && game.ply(state) < 60) {
      const before = stonesOf(state);
      game.apply(state, drawCarefulAction(game, state, rng));
      watch.note(state);
      const isEvent = stonesOf(state) !== before;
      expected = isEvent ? 0 : expected + 1;
      if (isEvent) events += 1;
      else quiet += 1;
      expect(watch.plies).toBe(expected);
    }
  }
  expect(events).toBeGreaterThan(5);
  expect(quiet).toBeGreaterThan(5);
});

test('never counts in Connect Four, where every move adds a stone', () => {
  const game = createGame('connect-four');
  const state = game.initialState();
  const watch = new QuietWatch(game, state);
  for (const column of [3, 3, 2, 4, 3]) {
    game.apply(state, column);
    watch.note(state);
    expect(watch.plies).toBe(0);
  }
});
