import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AlphaBetaSearch } from '../../agents/alpha-beta/alpha-beta-search.js';
import { WIN } from '../../agents/alpha-beta/search-values.js';
import { createAgent } from '../../agents/create-agent.js';
import { MAX_PROMISE } from '../../env/definition/evaluation.js';
import { quessEvaluation } from '../../env/quess/quess-evaluation.js';
import { createQuess } from '../../env/quess/quess.js';
import type { QuessPosition } from '../../env/quess/quess-position.js';
import { createRng } from '../../env/random.js';
import { NetworkConfig } from '../../training/network/network-config.js';
import { networkShape } from '../../training/network/network-shape.js';

const quess = createQuess();

function somewhere(seed: number, plies: number): QuessPosition {
  const rng = createRng(seed, 'somewhere');
  const state = quess.initialState();
  const actions = new Int32Array(quess.maxLegalActions);
  for (let i = 0; i < plies; i++) {
    quess.apply(state, actions[rng.integer(quess.legalActions(state, actions))]!);
    if (quess.outcome(state) === null) continue;
    quess.undo(state);
    break;
  }
  return state;
}

/** The position with the board rotated by 180 degrees and the sides exchanged. */
function turned(state: QuessPosition): QuessPosition {
  const [board = '', player, ply] = quess.formatPosition(state).split(' ');
  const swapCase = (letter: string): string =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
  const rows = board.split('').reverse().map(swapCase).join('');
  return quess.parsePosition(`${rows} ${player === 'l' ? 'd' : 'l'} ${ply ?? ''}`);
}

describe('the evaluation of Quess', () => {
  test('is the same from both sides', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(80), (seed, plies) => {
        const state = somewhere(seed, plies);
        const value = quessEvaluation.evaluate(state);
        expect(Number.isInteger(value)).toBe(true);
        expect(quessEvaluation.evaluate(turned(state))).toBe(value);
      }),
    );
  });

  test('promises are within their bounds', () => {
    fc.assert(
      fc.property(fc.nat(1e6), fc.nat(80), (seed, plies) => {
        const state = somewhere(seed, plies);
        const actions = new Int32Array(quess.maxLegalActions);
        for (const action of actions.subarray(0, quess.legalActions(state, actions))) {
          const promise = quessEvaluation.promise(state, action);
          expect(Number.isInteger(promise) && promise >= 0 && promise <= MAX_PROMISE).toBe(true);
        }
      }),
    );
  });

  test('prefers more pieces, and pieces in the zone', () => {
    const value = (text: string): number => quessEvaluation.evaluate(quess.parsePosition(text));
    expect(value('3t2/6/6/2S3/6/T5 l 0')).toBeGreaterThan(value('3t2/6/6/6/6/T5 l 0'));
    expect(value('3t2/4T1/6/2S3/6/6 l 0')).toBeGreaterThan(value('3t2/6/4T1/2S3/6/6 l 0') + 100);
  });
});

test('alpha-beta finds a second piece in the zone', () => {
  const search = new AlphaBetaSearch(quess, quessEvaluation);
  const state = quess.parsePosition('6/2cT2/5T/6/6/1t1t1c l 20');
  const { action, value } = search.search(state, { depth: 3 });
  quess.apply(state, action);
  expect([quess.outcome(state), value]).toEqual([1, WIN - 1]);
});

test('alpha-beta two plies deep beats greedy', async () => {
  const players = await Promise.all(['alphabeta:depth=2', 'greedy'].map((text) => createAgent(text, quess)));
  let wins = 0;
  for (let seed = 0; seed < 10; seed++) {
    const state = somewhere(seed, 4);
    while (quess.outcome(state) === null && quess.ply(state) < quess.plyLimit) {
      const agent = players[(quess.currentPlayer(state) + seed) % 2]!;
      const [choice] = await agent.chooseAll([{ state, rng: createRng(seed, quess.ply(state)) }]);
      quess.apply(state, choice!.action);
    }
    if (quess.outcome(state) === (seed % 2 === 0 ? 1 : -1)) wins += 1;
  }
  expect(wins).toBeGreaterThanOrEqual(8);
});

test('a search that keeps its tree leaves the clocks unchanged', async () => {
  const timed = createQuess({ rules: 'standard,clock=180' });
  const agent = await createAgent('mcts:simulations=60', timed);
  const state = timed.initialState();
  const rng = createRng(1);
  for (let ply = 0; ply < 6; ply++) {
    const [choice] = await agent.chooseAll([{ state, rng }]);
    expect(timed.formatPosition(state)).toContain(
      ` ${180 - Math.ceil(ply / 2)} ${180 - Math.floor(ply / 2)}`,
    );
    timed.spendTime!(state, 1);
    timed.apply(state, choice!.action);
  }
});

test('networks for Quess have a convolutional policy head', () => {
  expect(networkShape(quess, NetworkConfig.parse({}))).toMatchObject({ policyForm: 'convolution' });
});
