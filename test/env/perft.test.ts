import { describe, expect, test } from 'vitest';
import { createGame } from '../../env/games.js';
import { countPositions } from '../../env/perft.js';
import { positionAfter } from '../../env/replay/replay.js';
import { readPerftCases } from './perft-fixture.js';

/** Deeper counts: `PERFT_NODES=1e9 npx vitest run test/env/perft.test.ts`. */
const MAX_NODES = Number(process.env['PERFT_NODES'] ?? 1e6);

describe.each([
  ...readPerftCases('gess.perft'),
  ...readPerftCases('quess.perft'),
  ...readPerftCases('connect-four.perft'),
])('perft of $game: $id', ({ game: id, rules, position, moves, counts }) => {
  const game = createGame(id, rules);
  test.each(counts.filter(({ nodes }) => nodes <= MAX_NODES))('depth $depth', ({ depth, nodes }) => {
    const state = positionAfter(game, { position, moves });
    const before = game.formatPosition(state);
    expect(countPositions(game, state, depth)).toBe(nodes);
    expect(game.formatPosition(state)).toBe(before);
  });
});
