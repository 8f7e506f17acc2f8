import { expect, test } from 'vitest';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import type { Game } from '../../env/game.js';

/** Games, rules and the number of moves to measure; `osu` lists its moves slowly. */
const GAMES = [
  ['gess', 'eureka', 4_000],
  ['gess', 'wikipedia,edge=strict', 4_000],
  ['gess', 'osu', 1_600],
  ['gess', 'eureka,ko=superko', 4_000],
  ['quess', 'default', 4_000],
  ['quess', 'standard,clock=180', 4_000],
  ['connect-four', 'default', 4_000],
] as const;

/** Rounds of moves; at least one must not allocate. */
const ROUNDS = 12;
/** Allowed growth in bytes per move: less than any allocation. */
const ALLOWED_BYTES = 8;

/**
 * Plays and undoes games of `plies` moves, listing the moves of every position.
 */
function playAndTakeBack<State>(game: Game<State>, state: State, moves: number, plies: number): void {
  const rng = createRng(1, 'allocation');
  const actions = new Int32Array(game.maxLegalActions);
  let played = 0;
  while (played < moves) {
    for (let ply = 0; ply < plies; ply++) {
      const count = game.legalActions(state, actions);
      if (count === 0) break;
      game.apply(state, actions[rng.integer(count)]!);
      played += 1;
    }
    while (game.historyLength(state) > 0) game.undo(state);
  }
}

test.each(GAMES)('%s with rules %s lists, plays and undoes moves without allocation', (id, rules, moves) => {
  const game = createGame(id, rules);
  const state = game.initialState();
  playAndTakeBack(game, state, 1.5 * moves, 12);
  const growth = (count: number): number => {
    const before = process.memoryUsage().heapUsed;
    playAndTakeBack(game, state, count, 12);
    return process.memoryUsage().heapUsed - before;
  };
  // Other parts of the process allocate now and then; an allocation per move, at least 16 bytes, would show every time.
  let least = Infinity;
  for (let round = 0; round < ROUNDS && least >= ALLOWED_BYTES; round++) {
    // Measuring allocates a few kilobytes itself, with moves a few more than without in Node 24.
    least = Math.min(least, Math.abs(growth(moves) - growth(0)) / moves);
  }
  expect(least).toBeLessThan(ALLOWED_BYTES);
});
