import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { PLAIN } from '../../agents/alpha-beta/alpha-beta-options.js';
import { AlphaBetaSearch } from '../../agents/alpha-beta/alpha-beta-search.js';
import { isProven, pliesToEnd, PROVEN, WIN } from '../../agents/alpha-beta/search-values.js';
import type { Evaluation } from '../../env/definition/evaluation.js';
import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import { type Game, NO_ACTION } from '../../env/game.js';
import { createEvaluation, createGame } from '../../env/games.js';
import { boldSelectivity } from '../../env/gess/heuristics/patterns/bold-selectivity.js';
import { createRng } from '../../env/random.js';
import { PUBLISHED_GAME } from '../env/gess/published-game.js';
import { fewStones } from './few-stones.js';
import { createHashTreeGame, type HashTreeState } from './hash-tree-game.js';

const gess = createGame('gess');
const smallGess = createGame('gess', 'osu');
const connectFour = createGame('connect-four');
const quess = createGame('quess');

/** The reference: every pruned search must agree with it. */
function minimax<State>(
  game: Game<State>,
  evaluation: Evaluation<State>,
  state: State,
  depth: number,
): number {
  const buffers: Int32Array[] = [];
  const search = (left: number, ply: number): number => {
    const outcome = game.outcome(state);
    if (outcome !== null) return (game.currentPlayer(state) === 0 ? outcome : -outcome) * (WIN - ply) + 0;
    if (left === 0) return evaluation.evaluate(state);
    const actions = (buffers[ply] ??= new Int32Array(game.maxLegalActions));
    const count = game.legalActions(state, actions);
    let best = -Infinity;
    for (const action of actions.subarray(0, count)) {
      game.apply(state, action);
      // Not negated: that would make -0 of 0.
      best = Math.max(best, 0 - search(left - 1, ply + 1));
      game.undo(state);
    }
    return best;
  };
  return search(depth, 0);
}

/** A position after careful random moves that is not over. */
function somewhere<State>(game: Game<State>, seed: number, plies: number): State {
  const rng = createRng(seed, 'somewhere');
  const state = game.initialState();
  for (let i = 0; i < plies; i++) {
    const action = drawCarefulAction(game, state, rng);
    game.apply(state, action);
    if (game.outcome(state) === null) continue;
    game.undo(state);
    break;
  }
  return state;
}

function play<State>(game: Game<State>, moves: string): State {
  const state = game.initialState();
  for (const move of moves.split(' ')) game.apply(state, game.parseAction(move));
  return state;
}

/** Position number `seed` of Gess with a ring and `loose` more stones a side, that is not over. */
function sparsePosition(seed: number, loose: number): unknown {
  for (let attempt = 0; ; attempt++) {
    const state = smallGess.parsePosition(fewStones(1000 * seed + attempt, loose));
    if (smallGess.outcome(state) === null) return state;
  }
}

/** Position number `seed` for comparisons with `minimax`: not over, with few enough moves for three plies. */
function smallPosition(seed: number): { game: Game<unknown>; state: unknown } {
  if (seed % 30 < 22) return { game: connectFour, state: somewhere(connectFour, seed, seed % 31) };
  if (seed % 30 < 29) return { game: quess, state: somewhere(quess, seed, seed % 61) };
  return { game: smallGess, state: sparsePosition(seed, 0) };
}

/**
 * Number of positions to compare; more on demand: `SEARCH_POSITIONS=300 npx vitest run
 * test/agents/alpha-beta.test.ts`.
 */
const POSITIONS = Number(process.env['SEARCH_POSITIONS'] ?? '30');
/** Milliseconds that no search needs. */
const AGES_MS = 1e9;
const seeds = Array.from({ length: POSITIONS }, (_, seed) => seed);

test(
  `plain, it equals minimax to depth 3 on ${POSITIONS} positions of three games`,
  { timeout: 60_000 },
  () => {
    for (const seed of seeds) {
      const { game, state } = smallPosition(seed);
      const evaluation = createEvaluation(game);
      const { value } = new AlphaBetaSearch(game, evaluation, PLAIN).search(state, { depth: 3 });
      expect([seed, value]).toEqual([seed, minimax(game, evaluation, state, 3)]);
    }
  },
);

test(
  'with all techniques it proves what the plain search proves, and nothing false',
  { timeout: 60_000 },
  () => {
    let proofs = 0;
    for (const seed of seeds) {
      const { game, state } = smallPosition(seed);
      const evaluation = createEvaluation(game);
      const plain = new AlphaBetaSearch(game, evaluation, PLAIN);
      const full = new AlphaBetaSearch(game, evaluation).search(state, { depth: 3 });
      const expected = plain.search(state, { depth: 3 }).value;
      if (isProven(expected)) {
        expect([seed, full.value]).toEqual([seed, expected]);
        proofs += 1;
      } else if (isProven(full.value)) {
        expect([seed, full.value]).toEqual([
          seed,
          plain.search(state, { depth: pliesToEnd(full.value) }).value,
        ]);
        proofs += 1;
      }
    }
    expect(proofs).toBeGreaterThan(POSITIONS / 10);
  },
);

test('a bold search skips moves', () => {
  const evaluation = createEvaluation(smallGess);
  const cautious = new AlphaBetaSearch(smallGess, evaluation);
  const bold = new AlphaBetaSearch(smallGess, evaluation, { selectivity: boldSelectivity(evaluation.scale) });
  let [cautiousNodes, boldNodes] = [0, 0];
  for (let seed = 0; seed < 30; seed++) {
    const state = sparsePosition(seed, 6);
    cautiousNodes += cautious.search(state, { depth: 4 }).nodes;
    boldNodes += bold.search(state, { depth: 4 }).nodes;
  }
  expect(boldNodes).toBeLessThan(0.8 * cautiousNodes);
});

test('a bold search that remembers proves nothing false', { timeout: 300_000 }, () => {
  const evaluation = createEvaluation(smallGess);
  const bold = new AlphaBetaSearch(smallGess, evaluation, {
    selectivity: boldSelectivity(evaluation.scale),
    remembers: true,
  });
  const plain = new AlphaBetaSearch(smallGess, evaluation, PLAIN);
  let proofs = 0;
  for (const seed of seeds) {
    const state = sparsePosition(seed, 6);
    // The memory of each search is of the position before.
    for (let ply = 0; ply < 3 && smallGess.outcome(state) === null; ply++) {
      const { action, value } = bold.search(state, { depth: 4, timeMs: AGES_MS });
      if (isProven(value) && pliesToEnd(value) <= 3) {
        expect([seed, ply, plain.search(state, { depth: pliesToEnd(value) }).value]).toEqual([
          seed,
          ply,
          value,
        ]);
        proofs += 1;
      }
      smallGess.apply(state, action);
    }
  }
  expect(proofs).toBeGreaterThan(POSITIONS / 10);
});

test('a bold search skips no move while it knows losing ones only', () => {
  const hashTree = createHashTreeGame({ root: 1, numActions: 4, illegal: [] });
  // After the actions 1, 0 and 1 all replies lose at once; after 1, any other and 1 all but the last.
  const game: Game<HashTreeState> = {
    ...hashTree,
    outcome: ({ actions: [first, second, third, fourth] }) =>
      first === 1 && third === 1 && fourth !== undefined && (second === 0 || fourth < 3) ? 1 : null,
  };
  const evaluation: Evaluation<HashTreeState> = {
    evaluate: () => 0,
    promise: () => 0,
    scale: 100,
    tactics: {
      winningAction: () => NO_ACTION,
      captures: () => 0,
      gainOf: () => 1,
      quiet: {
        isThreatened: () => false,
        maySuffer: () => false,
        pass: () => undefined,
        unpass: () => undefined,
        margin: 10,
      },
    },
  };
  const search = new AlphaBetaSearch(game, evaluation, {
    selectivity: boldSelectivity(100),
    nullMove: false,
  });
  expect(search.search(game.initialState(), { depth: 4 }).value).toBe(0);
});

test.each([0, 1 << 12])('equals minimax on Connect Four to depth 4, with %i table entries', (tableSize) => {
  const evaluation = createEvaluation(connectFour);
  const search = new AlphaBetaSearch(connectFour, evaluation, { tableSize });
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(30), fc.integer({ min: 1, max: 4 }), (seed, plies, depth) => {
      const state = somewhere(connectFour, seed, plies);
      const result = search.search(state, { depth });
      expect(result.value).toBe(minimax(connectFour, evaluation, state, result.depth));
    }),
  );
});

// A minimum of all replies to all moves: seconds. Positions of Gess with few stones are among those above.
test.runIf(isLong)('plain, it equals minimax to depth 2 in a full game of Gess', { timeout: 60_000 }, () => {
  const evaluation = createEvaluation(gess);
  const state = somewhere(gess, 1, 30);
  const { value } = new AlphaBetaSearch(gess, evaluation, PLAIN).search(state, { depth: 2 });
  expect(value).toBe(minimax(gess, evaluation, state, 2));
});

describe('in the published game', () => {
  const moves = PUBLISHED_GAME.trim().split(/\s+/);
  const after = (plies: number): unknown => play(gess, moves.slice(0, plies).join(' '));

  test('it finds that every reply to the last move loses', () => {
    const { value } = new AlphaBetaSearch(gess, createEvaluation(gess)).search(after(moves.length), {
      depth: 2,
    });
    expect(value).toBe(-(WIN - 2));
  });

  test('it finds the last move, which mates', () => {
    const search = new AlphaBetaSearch(gess, createEvaluation(gess));
    const { action, value, principalVariation } = search.search(after(moves.length - 1), { depth: 3 });
    expect(value).toBe(WIN - 3);
    expect(gess.formatAction(action)).toBe(moves.at(-1));
    expect(principalVariation).toHaveLength(3);
  });
});

describe('on Connect Four', () => {
  const search = new AlphaBetaSearch(connectFour, createEvaluation(connectFour));

  test('takes a win in one, and values it one ply away', () => {
    const { action, value } = search.search(play(connectFour, '0 6 0 6 0 5'), { depth: 4 });
    expect(connectFour.formatAction(action)).toBe('0');
    expect(value).toBe(WIN - 1);
  });

  test('finds an unavoidable loss two plies away', () => {
    // Player 0 has three in the bottom row with both ends free.
    const { value } = search.search(play(connectFour, '2 2 3 3 4'), { depth: 4 });
    expect(value).toBe(-(WIN - 2));
  });

  test('stops the only threat', () => {
    const { action } = search.search(play(connectFour, '0 1 0 1 0'), { depth: 2 });
    expect(connectFour.formatAction(action)).toBe('0');
  });
});

describe('on Gess, with a black piece on l10 in front of the white ring on l18', () => {
  const search = new AlphaBetaSearch(gess, createEvaluation(gess));
  const ring = (stone: string): string[] => [
    `9${stone.repeat(3)}6`,
    `9${stone}1${stone}6`,
    `9${stone.repeat(3)}6`,
  ];
  const empty = Array.from({ length: 5 }, () => '18');
  const board = [...ring('w'), ...empty, '10b7', '10b7', ...empty, ...ring('b')].join('/');

  test('finds the move that breaks the last ring', () => {
    const state = gess.parsePosition(`${board} b 0`);
    const { action, value } = search.search(state, { depth: 3 });
    expect(value).toBe(WIN - 1);
    expect(gess.formatAction(action)).toBe('l10-l16');
  });

  test('with White to move, White must step aside and loses two moves later', () => {
    const state = gess.parsePosition(`${board} w 1`);
    const plain = new AlphaBetaSearch(gess, createEvaluation(gess), { ...PLAIN, tableSize: 1 << 16 });
    expect(plain.search(state, { depth: 3 }).value).toBeGreaterThan(-PROVEN);
    expect(plain.search(state, { depth: 4 }).value).toBe(-(WIN - 4));
    expect(search.search(state, { depth: 3 }).value).toBe(-(WIN - 4));
  });
});

test('the same node limit visits the same nodes and leaves the state unchanged', () => {
  const state = somewhere(gess, 5, 8);
  const before = gess.formatPosition(state);
  const search = new AlphaBetaSearch(gess, createEvaluation(gess));
  const first = search.search(state, { nodes: 3000 });
  expect(search.search(state, { nodes: 3000 })).toEqual(first);
  expect(first.nodes).toBeLessThanOrEqual(3001);
  expect(gess.formatPosition(state)).toBe(before);
  expect(gess.isLegal(state, first.action)).toBe(true);
});

test('a search with a time limit remembers the search before, until it forgets', () => {
  const state = somewhere(gess, 5, 8);
  const limits = { depth: 3, timeMs: AGES_MS };
  const search = new AlphaBetaSearch(gess, createEvaluation(gess), { remembers: true });
  const first = search.search(state, limits);
  expect(search.search(state, limits).nodes).toBeLessThan(first.nodes / 2);
  search.forget();
  expect(search.search(state, limits)).toEqual(first);
  expect(search.search(state, { depth: 3 })).toEqual(first);
  const forgetful = new AlphaBetaSearch(gess, createEvaluation(gess));
  for (let time = 1; time <= 2; time++) expect(forgetful.search(state, limits)).toEqual(first);
});

test('returns a legal move under any limit', () => {
  const state = somewhere(gess, 6, 4);
  const search = new AlphaBetaSearch(gess, createEvaluation(gess));
  const { action, value } = search.search(state, { nodes: 1 });
  expect(gess.isLegal(state, action)).toBe(true);
  // No move was searched.
  expect(value).toBe(createEvaluation(gess).evaluate(state));
  expect(gess.isLegal(state, search.search(state, { timeMs: 1 }).action)).toBe(true);
  for (const nodes of [1, 100, 1000]) expect(search.search(state, { nodes }).nodes).toBe(nodes);
});
