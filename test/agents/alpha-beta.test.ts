import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AlphaBetaSearch, PROVEN, WIN } from '../../agents/alpha-beta/alpha-beta-search.js';
import type { Evaluation } from '../../agents/evaluation.js';
import { evaluationOf } from '../../agents/evaluations.js';
import { drawCarefulAction } from '../../agents/careful.js';
import type { Game } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';

const gess = createGame('gess');
const connectFour = createGame('connect-four');

/** The definition that every pruned search must agree with. */
function minimax<State>(
  game: Game<State>,
  evaluation: Evaluation<State>,
  state: State,
  depth: number,
): number {
  const search = (left: number, ply: number): number => {
    const outcome = game.outcome(state);
    if (outcome !== null) return (game.currentPlayer(state) === 0 ? outcome : -outcome) * (WIN - ply) + 0;
    if (left === 0) return evaluation.evaluate(state);
    const actions = new Int32Array(game.maxLegalActions);
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

/** A position after careful random moves, still going on. */
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

test.each([0, 1 << 12])('equals minimax on Connect Four to depth 4, with %i table entries', (tableSize) => {
  const evaluation = evaluationOf(connectFour);
  const search = new AlphaBetaSearch(connectFour, evaluation, { tableSize });
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(30), fc.integer({ min: 1, max: 4 }), (seed, plies, depth) => {
      const state = somewhere(connectFour, seed, plies);
      const result = search.search(state, { depth });
      expect(result.value).toBe(minimax(connectFour, evaluation, state, result.depth));
    }),
  );
});

test('equals minimax on Gess to depth 2', () => {
  const evaluation = evaluationOf(gess);
  const search = new AlphaBetaSearch(gess, evaluation, { tableSize: 0 });
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(40), (seed, plies) => {
      const state = somewhere(gess, seed, plies);
      const result = search.search(state, { depth: 2 });
      expect(result.value).toBe(minimax(gess, evaluation, state, result.depth));
    }),
    { numRuns: 6 },
  );
});

describe('on Connect Four', () => {
  const search = new AlphaBetaSearch(connectFour, evaluationOf(connectFour));

  test('takes a win in one, and values it one ply away', () => {
    const { action, value } = search.search(play(connectFour, '0 6 0 6 0 5'), { depth: 4 });
    expect(connectFour.formatAction(action)).toBe('0');
    expect(value).toBe(WIN - 1);
  });

  test('sees a loss that cannot be helped, two plies away', () => {
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
  const search = new AlphaBetaSearch(gess, evaluationOf(gess));
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

  test('with White to move nothing helps but to take the piece or to step aside', () => {
    const state = gess.parsePosition(`${board} w 1`);
    const { action, value } = search.search(state, { depth: 2 });
    expect(Math.abs(value)).toBeLessThan(PROVEN);
    gess.apply(state, action);
    expect(search.search(state, { depth: 1 }).value).toBeLessThan(PROVEN);
  });
});

test('the same node limit visits the same nodes and leaves the state alone', () => {
  const state = somewhere(gess, 5, 8);
  const before = gess.formatPosition(state);
  const search = new AlphaBetaSearch(gess, evaluationOf(gess));
  const first = search.search(state, { nodes: 3000 });
  expect(search.search(state, { nodes: 3000 })).toEqual(first);
  expect(first.nodes).toBeLessThanOrEqual(3001);
  expect(gess.formatPosition(state)).toBe(before);
  expect(gess.isLegal(state, first.action)).toBe(true);
});

test('has an answer whatever the limit', () => {
  const state = somewhere(gess, 6, 4);
  const search = new AlphaBetaSearch(gess, evaluationOf(gess));
  expect(gess.isLegal(state, search.search(state, { nodes: 1 }).action)).toBe(true);
  expect(gess.isLegal(state, search.search(state, { timeMs: 1 }).action)).toBe(true);
});
