import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import { UniformEvaluator } from '../../agents/evaluators/uniform-evaluator.js';
import { findWin } from '../../agents/mcts/decisive-moves.js';
import { runSearches } from '../../agents/mcts/driver.js';
import { PROVEN_LOSS } from '../../agents/mcts/proof.js';
import { Search } from '../../agents/mcts/search.js';
import { SearchConfig } from '../../agents/search-config.js';
import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import { type Action, type Game, NO_ACTION } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';

/** A position `back` plies before the end of a game of careful moves. */
function nearTheEnd<State>(game: Game<State>, seed: number, back: number): State {
  const rng = createRng(seed, 'decisive');
  const state = game.initialState();
  while (game.outcome(state) === null && game.ply(state) < 300) {
    game.apply(state, drawCarefulAction(game, state, rng));
  }
  for (let ply = 0; ply < back; ply++) game.undo(state);
  return state;
}

function legalActions<State>(game: Game<State>, state: State): readonly Action[] {
  const buffer = new Int32Array(game.maxLegalActions);
  return [...buffer.subarray(0, game.legalActions(state, buffer))];
}

/** The actions with which the player to move wins at once, found by playing all. */
function winsOf<State>(game: Game<State>, state: State): readonly Action[] {
  const win = game.currentPlayer(state) === 0 ? 1 : -1;
  return legalActions(game, state).filter((action) => {
    game.apply(state, action);
    const outcome = game.outcome(state);
    game.undo(state);
    return outcome === win;
  });
}

/** The legal actions that may win at once, one call of `nextMayWin` after the other; all of them without it. */
function mayWinOf(
  game: Game<unknown>,
  state: unknown,
  { legalActions: actions, legalCount: count }: EvaluationBatch,
): readonly Action[] {
  const found: Action[] = [];
  for (let i = 0; i < count; i++) {
    i = game.nextMayWin?.(state, actions, count, i) ?? i;
    if (i < count) found.push(actions[i]!);
  }
  return found;
}

const GAMES = [
  ['gess', 'eureka'],
  ['gess', 'gach'],
  ['gess', 'osu'],
  ['gess', 'eureka,ko=superko'],
  ['gess', 'eureka,startOffBoard=yes,endOffBoard=yes'],
  ['quess', 'default'],
  ['connect-four', 'default'],
] as const;

describe.each(GAMES)('in %s, %s', (id, rules) => {
  const game = createGame(id, rules);
  const batch = new EvaluationBatch(game, 8, { readsInputs: false });

  test('a win in one is found if and only if there is one, and `mayWin` admits all of them', () => {
    let found = 0;
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 4 }), (seed, back) => {
        const state = nearTheEnd(game, seed, back);
        const wins = winsOf(game, state);
        for (const action of wins) expect(game.mayWin?.(state, action)).not.toBe(false);
        batch.list(game, state);
        expect(mayWinOf(game, state, batch)).toEqual(
          [...batch.legalActions.subarray(0, batch.legalCount)].filter(
            (action) => game.mayWin?.(state, action) !== false,
          ),
        );
        const action = findWin(game, state, batch);
        if (wins.length === 0) expect(action).toBe(NO_ACTION);
        else expect(wins).toContain(action);
        if (wins.length > 0) found += 1;
      }),
      { numRuns: id !== 'gess' ? 60 : isLong ? 30 : 10 },
    );
    expect(found).toBeGreaterThan(0);
  });

  test('a search proves a move lost only if the opponent then wins in one', { timeout: 30_000 }, async () => {
    let proven = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(10_000), fc.integer({ min: 2, max: 4 }), async (seed, back) => {
        const state = nearTheEnd(game, seed, back);
        if (winsOf(game, state).length > 0) return;
        // So few simulations that every proven loss is a win in one by the opponent.
        const config = SearchConfig.parse({ simulations: 1 });
        const search = new Search(game, { config }, createRng(seed));
        search.begin(state);
        await runSearches([search], new UniformEvaluator(), batch);
        const { actions, proofs, count } = search.readRoot();
        for (let i = 0; i < count; i++) {
          if (proofs[i] !== PROVEN_LOSS) continue;
          proven += 1;
          game.apply(state, actions[i]!);
          expect(game.outcome(state) !== null || winsOf(game, state).length > 0).toBe(true);
          game.undo(state);
        }
      }),
      { numRuns: id !== 'gess' ? 100 : isLong ? 15 : 6 },
    );
    expect(proven).toBeGreaterThan(0);
  });
});

test('an answer that wins proves every other move that it beats a loss', async () => {
  const game = createGame('connect-four', 'default');
  const state = game.initialState();
  // Only column 6 stops the opponent; the first simulation meets another.
  for (const column of [0, 6, 0, 6, 1, 6]) game.apply(state, column);
  for (const decisiveMoves of [true, false]) {
    const search = new Search(
      game,
      { config: SearchConfig.parse({ simulations: 1, decisiveMoves }) },
      createRng(1),
    );
    search.begin(state);
    await runSearches([search], new UniformEvaluator(), new EvaluationBatch(game, 1, { readsInputs: false }));
    const lost = [...search.readRoot().proofs.subarray(0, 7)].filter((proof) => proof === PROVEN_LOSS);
    expect(lost.length).toBe(decisiveMoves ? 6 : 0);
    const policy = new Float32Array(game.maxLegalActions);
    search.writePolicy(policy);
    if (decisiveMoves) expect(search.chooseAction(policy, 1)).toBe(6);
  }
});
