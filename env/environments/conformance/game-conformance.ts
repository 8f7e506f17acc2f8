import type { Game } from '../../game.js';
import { createRng } from '../../random.js';
import type { FindingList } from './finding.js';
import { chooseGame, drawPicks } from './game-play.js';
import {
  checkActionTexts,
  checkHashes,
  checkObservations,
  checkPacking,
  checkPermutations,
  checkPolicyIndices,
  checkSymmetries,
  checkTexts,
} from './game-encoding-checks.js';
import {
  checkActions,
  checkClone,
  checkFacts,
  checkGameRender,
  checkLegality,
  checkPerft,
  checkStart,
  checkTurns,
  checkUndo,
  type PerftCount,
} from './game-rule-checks.js';
import type { GameKnowledge, GameRun } from './game-run.js';

/** Options for checking a game. */
export interface GameCheckOptions<State> extends GameKnowledge<State> {
  /** Number of random games. Defaults to 8. */
  readonly episodes?: number | undefined;
  /** Maximum number of plies of a game. Defaults to 40. */
  readonly steps?: number | undefined;
  /** An integer in `[0, 2^53)`. Defaults to 1. */
  readonly seed?: number | undefined;
  /**
   * Games in place of random ones, each a list of non-negative integers that choose among the legal moves, as
   * property tests generate them.
   */
  readonly games?: readonly (readonly number[])[] | undefined;
  /** Known perft counts. */
  readonly perft?: readonly PerftCount[] | undefined;
}

type GameCheck = <State>(run: GameRun<State>) => void;

/** Checks along each game, by name, in order. */
const CHECKS: Readonly<Record<string, GameCheck>> = {
  start: checkStart,
  turns: checkTurns,
  actions: checkActions,
  legality: checkLegality,
  undo: checkUndo,
  clone: checkClone,
  texts: checkTexts,
  'action texts': checkActionTexts,
  packing: checkPacking,
  hashes: checkHashes,
  observations: checkObservations,
  'policy indices': checkPolicyIndices,
  render: checkGameRender,
};

/** Checks a game along random or given games. */
export function checkGameInto<State>(
  game: Game<State>,
  options: GameCheckOptions<State>,
  list: FindingList,
): void {
  const { episodes = 8, steps = 40, seed = 1, perft = [] } = options;
  list.run('facts', () => {
    checkFacts(game, list);
  });
  list.run('permutations', () => {
    checkPermutations(game, list);
  });
  const rng = createRng(seed, 'conformance', 'game');
  const games = options.games ?? Array.from({ length: episodes }, () => drawPicks(rng, steps));
  for (const [episode, picks] of games.entries()) {
    list.run('play', () => {
      const run = { game, known: options, list, actions: chooseGame(game, picks), episode };
      for (const [name, check] of Object.entries(CHECKS)) {
        list.run(name, () => {
          check(run);
        });
      }
      list.run('symmetries', () => {
        // Requires valid permutations and policy indices.
        if (!list.has('game-symmetry-permutation', 'game-policy-index')) checkSymmetries(run);
      });
    });
  }
  list.run('perft', () => {
    // Perft requires `undo`.
    if (!list.has('game-undo')) checkPerft(game, list, perft);
  });
}
