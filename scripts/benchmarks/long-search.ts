import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import { Search } from '../../agents/mcts/search.js';
import { nextTask } from '../../agents/next-task.js';
import { SearchConfig } from '../../agents/search-config.js';
import { UniformEvaluator } from '../../agents/evaluators/uniform-evaluator.js';
import { createGess } from '../../env/gess/gess.js';
import { createRng } from '../../env/random.js';
import { peakMegabytes } from './measured.js';
import { processorMs } from './timing.js';

const SIMULATIONS = 200_000;
/** Simulations between two moments in which signals are handled. */
const STEPS_A_TASK = 1000;

/** Cost of one search of 200,000 simulations from the start, with the uniform evaluator. */
export interface LongSearch {
  readonly longSearchSimulationsPerSecond: number;
  /** Longest simulation, in wall-clock time and in processor time. */
  readonly longestPauseMs: number;
  readonly longestProcessorPauseMs: number;
  /** Peak memory of the process, including earlier work. */
  readonly peakMegabytes: number;
}

/** Runs the search one simulation at a time. */
export async function measureLongSearch(): Promise<LongSearch> {
  const game = createGess();
  const config = SearchConfig.parse({ simulations: SIMULATIONS });
  const search = new Search(game, { config }, createRng(1, 'bench'));
  const evaluator = new UniformEvaluator();
  const batch = new EvaluationBatch(game, 1, evaluator);
  search.begin(game.initialState());
  const longest = { clock: 0, processor: 0 };
  const startMs = performance.now();
  let steps = 0;
  while (!search.isDone) {
    const stepMs = performance.now();
    const stepProcessorMs = processorMs();
    batch.clear();
    search.advance(batch);
    if (batch.size > 0) {
      await evaluator.evaluate(batch);
      search.receive(batch, 0);
    }
    longest.processor = Math.max(longest.processor, processorMs() - stepProcessorMs);
    longest.clock = Math.max(longest.clock, performance.now() - stepMs);
    if (++steps % STEPS_A_TASK === 0) await nextTask();
  }
  const seconds = (performance.now() - startMs) / 1000;
  return {
    longSearchSimulationsPerSecond: Math.round(SIMULATIONS / seconds),
    longestPauseMs: Math.round(10 * longest.clock) / 10,
    longestProcessorPauseMs: Math.round(10 * longest.processor) / 10,
    peakMegabytes: Math.round(peakMegabytes()),
  };
}
