import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLAIN } from '../../agents/alpha-beta/alpha-beta-options.js';
import { AlphaBetaSearch } from '../../agents/alpha-beta/alpha-beta-search.js';
import { isProven } from '../../agents/alpha-beta/search-values.js';
import { ConnectFourSolver } from '../../agents/connect-four-solver.js';
import { createAgent } from '../../agents/create-agent.js';
import { connectFour } from '../../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../../env/connect-four/connect-four-position.js';
import { createEvaluation, createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { bestValue, readSolvedPositions } from '../../training/matches/solved-positions.js';

const solver = new ConnectFourSolver();
const search = new AlphaBetaSearch(connectFour, createEvaluation(connectFour), {
  ...PLAIN,
  tableSize: 1 << 16,
});

function somewhere(seed: number, plies: number): ConnectFourState {
  const rng = createRng(seed, 'somewhere');
  const state = connectFour.initialState();
  const actions = new Int32Array(connectFour.maxLegalActions);
  for (let i = 0; i < plies; i++) {
    const count = connectFour.legalActions(state, actions);
    connectFour.apply(state, actions[rng.integer(count)]!);
    if (connectFour.outcome(state) === null) continue;
    connectFour.undo(state);
  }
  return state;
}

/** The result with best play, by a search to the end: 1, 0 or -1 to the player to move. */
function valueBySearch(state: ConnectFourState): number {
  const { value } = search.search(state, { depth: connectFour.plyLimit - state.ply });
  return isProven(value) ? Math.sign(value) : 0;
}

test('agrees with a plain search to the end, and plays a move that keeps the value', () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.integer({ min: 34, max: 60 }), (seed, plies) => {
      const state = somewhere(seed, plies);
      const before = connectFour.formatPosition(state);
      const { value, action } = solver.solve(state);
      expect(value).toBe(valueBySearch(state));
      expect(connectFour.formatPosition(state)).toBe(before);
      const player = connectFour.currentPlayer(state);
      connectFour.apply(state, action);
      const { outcome } = state;
      const after = outcome === null ? 0 - valueBySearch(state) : player === 0 ? outcome : 0 - outcome;
      expect(after).toBe(value);
    }),
  );
});

test('agrees with another perfect solver, on positions that share its table', async () => {
  const path = join(import.meta.dirname, '..', '..', 'models', 'connect-four', 'solved-positions.jsonl');
  const late = (await readSolvedPositions(path, connectFour))
    .map((solved) => ({ solved, state: connectFour.parsePosition(solved.position) }))
    .filter(({ state }) => state.ply >= 16);
  expect(late.length).toBeGreaterThan(300);
  for (const { solved, state } of late) {
    const { position, values } = solved;
    const { value, action } = solver.solve(state);
    expect({ position, value }).toEqual({ position, value: bestValue(solved) });
    expect({ position, value: values.get(action) }).toEqual({ position, value });
  }
});

test('a position and its mirror image have the same value', () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.integer({ min: 22, max: 40 }), (seed, plies) => {
      const state = somewhere(seed, plies);
      const rows = connectFour.formatPosition(state).split('/');
      const mirrored = rows.map((row) => Array.from(row).reverse().join('')).join('/');
      expect(new Set([solver.solve(connectFour.parsePosition(mirrored)).value])).toContain(
        solver.solve(state).value,
      );
    }),
    { numRuns: 20 },
  );
});

test('the agent plays Connect Four only', async () => {
  const agent = await createAgent('solver', connectFour);
  const state = connectFour.initialState();
  for (const column of [3, 3, 3, 3, 3, 3, 2, 0]) connectFour.apply(state, column);
  const [choice] = await agent.chooseAll([{ state, rng: createRng(1) }]);
  expect(choice).toMatchObject({ value: 1, statistics: { nodes: expect.any(Number) as number } });
  await expect(createAgent('solver', createGame('gess'))).rejects.toMatchObject({ code: 'agent-game' });
});
