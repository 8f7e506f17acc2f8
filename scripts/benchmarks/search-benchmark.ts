import { AlphaBetaSearch } from '../../agents/alpha-beta/alpha-beta-search.js';
import { createEvaluation } from '../../env/games.js';
import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import { runSearches } from '../../agents/mcts/driver.js';
import { Search } from '../../agents/mcts/search.js';
import { nextTask } from '../../agents/next-task.js';
import { SearchConfig } from '../../agents/search-config.js';
import { UniformEvaluator } from '../../agents/evaluators/uniform-evaluator.js';
import type { Evaluation } from '../../env/definition/evaluation.js';
import { createGess } from '../../env/gess/gess.js';
import type { GessPosition } from '../../env/gess/gess-position.js';
import { createRng } from '../../env/random.js';
import { FILE_OPENERS } from '../../training/export/open-agent.js';
import { type LongSearch, measureLongSearch } from './long-search.js';
import { measure } from './measured.js';
import { timePerSecond } from './timing.js';

const SIMULATIONS = 4_000;
const NODES = 20_000;

/** 32-bit FNV-1a digest of numbers. */
class Digest {
  private hash = 0x811c9dc5;

  add(number: number): void {
    this.hash = Math.imul(this.hash ^ number, 0x01000193);
  }

  get value(): number {
    return this.hash >>> 0;
  }
}

function createSearch(simulations: number): Search<unknown> {
  const config = SearchConfig.parse({ simulations });
  return new Search(createGess(), { config }, createRng(1, 'bench'));
}

/** A search from the start with an empty tree. */
async function searchFromStart(search: Search<unknown>): Promise<void> {
  const game = createGess();
  const other = game.initialState();
  game.apply(other, game.parseAction('f6-f7'));
  search.begin(game.parsePosition(game.formatPosition(other)));
  search.begin(game.initialState());
  const evaluator = new UniformEvaluator();
  await runSearches([search], evaluator, new EvaluationBatch(game, 8, evaluator));
}

/** Results of the search section of `gess bench`, per second. */
export interface SearchRates extends LongSearch {
  /** Simulations of tree search with the uniform evaluator, in searches of 4,000 from the start. */
  readonly simulationsPerSecond: number;
  /** The same by processor time. */
  readonly simulationsPerProcessorSecond: number;
  readonly alphaBetaNodesPerSecond: number;
  /** The same with the shipped pattern network. */
  readonly patternNodesPerSecond: number;
}

/** Measures simulations of tree search and nodes of alpha-beta per second. */
export async function benchSearch(): Promise<SearchRates> {
  const search = createSearch(SIMULATIONS);
  await searchFromStart(search);
  const { perSecond, perProcessorSecond } = await measure(async () => {
    const startMs = performance.now();
    let searches = 0;
    do {
      await searchFromStart(search);
      searches += 1;
      // Signals are handled between two searches.
      await nextTask();
    } while (performance.now() - startMs < 2_000);
    return searches * SIMULATIONS;
  });
  const game = createGess();
  const state = game.initialState();
  const nodesPerSecond = (evaluation: Evaluation<GessPosition>): number => {
    const alphaBeta = new AlphaBetaSearch(game, evaluation);
    return timePerSecond(() => alphaBeta.search(state, { nodes: NODES }).nodes);
  };
  return {
    simulationsPerSecond: Math.round(perSecond),
    simulationsPerProcessorSecond: Math.round(perProcessorSecond),
    ...(await measureLongSearch()),
    alphaBetaNodesPerSecond: nodesPerSecond(createEvaluation(game)),
    patternNodesPerSecond: nodesPerSecond(await FILE_OPENERS.openEvaluation(game.id, game)),
  };
}

/**
 * A digest of tree search's visit counts and alpha-beta's choice. A change that is not meant to change play must leave
 * it unchanged.
 */
export async function signature(): Promise<number> {
  const digest = new Digest();
  const search = createSearch(500);
  await searchFromStart(search);
  const { tree } = search;
  for (let edge = 0; edge < tree.edgeCount[0]!; edge++) {
    digest.add(tree.actions[tree.edgeStart[0]! + edge]!);
    digest.add(tree.visits[tree.edgeStart[0]! + edge]!);
  }
  const game = createGess();
  const { action, nodes } = new AlphaBetaSearch(game, createEvaluation(game)).search(game.initialState(), {
    depth: 2,
  });
  digest.add(action);
  digest.add(nodes);
  return digest.value;
}
