import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import { runSearches } from '../../agents/mcts/driver.js';
import { Search } from '../../agents/mcts/search.js';
import { NetworkEvaluator } from '../../agents/evaluators/network-evaluator.js';
import { SearchConfig } from '../../agents/search-config.js';
import { drawCarefulAction } from '../../agents/immediate/careful-agent.js';
import { createGess } from '../../env/gess/gess.js';
import { createRng } from '../../env/random.js';
import { openOnnxModel } from '../../training/inference/onnx-session.js';
import { benchInt8Model, benchModel } from './bench-network.js';
import { measure } from './measured.js';
import { processorMs } from './timing.js';

const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64] as const;
/** Number of positions, divided into batches of each size. */
const POSITIONS = 64;
const ROUNDS = 3;
const PASSES = 8;
/** Simulations of the measured search. */
const SIMULATIONS = 1000;
const LEAVES = 16;

/**
 * Results of the network section of `gess bench`. Evaluations are per second of processor time and include the softmax;
 * the network has 32 channels and 4 blocks.
 */
export type NetworkRates = Readonly<Record<`batch${(typeof BATCH_SIZES)[number]}`, number>> & {
  /** The smallest batch size within 1 % of the greatest rate. */
  readonly bestBatchSize: number;
  /** With batches of 16; the graph gathers the logits of the legal actions. */
  readonly gatheredEvalsPerSecond: number;
  /** The same with all 57,600 logits as output, from which the legal ones are gathered. */
  readonly fullOutputEvalsPerSecond: number;
  /** The same as `gatheredEvalsPerSecond` with an int8 trunk. */
  readonly int8EvalsPerSecond: number;
  readonly int8ToFloat32: number;
  /** Time of one search of 1,000 simulations from the start, 16 leaves at once. */
  readonly searchSeconds: number;
  readonly searchProcessorSeconds: number;
};

const game = createGess();

/** Positions of careful random games that fill a batch. */
function fillBatch(capacity: number): EvaluationBatch {
  const rng = createRng(1, 'bench');
  const batch = new EvaluationBatch(game, capacity);
  while (batch.size < capacity) {
    const state = game.initialState();
    for (let ply = rng.integer(30); ply > 0 && game.countLegalActions(state) > 0; ply--) {
      game.apply(state, drawCarefulAction(game, state, rng));
    }
    if (game.countLegalActions(state) > 0) batch.add(game, state);
  }
  return batch;
}

/** The best of several alternating rounds of each, in evaluations per second of processor time. */
async function compare(
  kinds: readonly { readonly model: Uint8Array; readonly batchSize: number }[],
): Promise<number[]> {
  const batch = fillBatch(POSITIONS);
  const evaluators = await Promise.all(
    kinds.map(async ({ model, batchSize }) =>
      NetworkEvaluator.create(game, await openOnnxModel(model), { batchSize }),
    ),
  );
  const best = evaluators.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, evaluator] of evaluators.entries()) {
      const { perProcessorSecond } = await measure(async () => {
        for (let pass = 0; pass < PASSES; pass++) await evaluator.evaluate(batch);
        return PASSES * batch.size;
      });
      best[index] = Math.max(best[index]!, Math.round(perProcessorSecond));
    }
  }
  for (const evaluator of evaluators) await evaluator.dispose();
  return best;
}

/** The fastest of three searches, by the clock and by processor time. */
async function timeSearch(model: Uint8Array): Promise<{ seconds: number; processorSeconds: number }> {
  const evaluator = await NetworkEvaluator.create(game, await openOnnxModel(model), { batchSize: LEAVES });
  const config = SearchConfig.parse({ simulations: SIMULATIONS });
  const batch = new EvaluationBatch(game, LEAVES);
  const best = { seconds: Infinity, processorSeconds: Infinity };
  for (let round = 0; round < ROUNDS; round++) {
    const startMs = performance.now();
    const startProcessorMs = processorMs();
    const search = new Search(game, { config, leaves: LEAVES }, createRng(1, 'bench'));
    search.begin(game.initialState());
    await runSearches([search], evaluator, batch);
    best.seconds = Math.min(best.seconds, (performance.now() - startMs) / 1000);
    best.processorSeconds = Math.min(best.processorSeconds, (processorMs() - startProcessorMs) / 1000);
  }
  await evaluator.dispose();
  return best;
}

/** Measures the network on one thread: batch sizes, both forms of its output, int8, and a search. */
export async function benchNetwork(): Promise<NetworkRates> {
  const model = benchModel(game);
  const rates = await compare(BATCH_SIZES.map((batchSize) => ({ model, batchSize })));
  const enough = 0.99 * Math.max(...rates);
  const forms = [model, benchModel(game, 'policy'), benchInt8Model(game)];
  const [gathered, full, int8] = await compare(forms.map((form) => ({ model: form, batchSize: LEAVES })));
  const { seconds, processorSeconds } = await timeSearch(model);
  const bySize = Object.fromEntries(BATCH_SIZES.map((size, index) => [`batch${size}`, rates[index]!]));
  return {
    ...(bySize as Record<`batch${(typeof BATCH_SIZES)[number]}`, number>),
    bestBatchSize: BATCH_SIZES[rates.findIndex((rate) => rate >= enough)]!,
    gatheredEvalsPerSecond: gathered!,
    fullOutputEvalsPerSecond: full!,
    int8EvalsPerSecond: int8!,
    int8ToFloat32: Math.round((100 * int8!) / gathered!) / 100,
    searchSeconds: Math.round(1000 * seconds) / 1000,
    searchProcessorSeconds: Math.round(1000 * processorSeconds) / 1000,
  };
}
