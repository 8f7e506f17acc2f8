import { measureBareSession, NetworkEvaluator } from '../../agents/network-evaluator.js';
import { createGess } from '../../env/gess/gess.js';
import { createRng } from '../../env/random.js';
import { NetworkConfig, SelfPlayConfig } from '../../training/config.js';
import { createNetwork, networkShape } from '../../training/network/network.js';
import { encodeOnnxModel } from '../../training/network/onnx-model.js';
import { playSelfPlayGames } from '../../training/self-play/self-play.js';
import { sumStatistics } from '../../training/self-play/self-play-statistics.js';
import { loadTensorflow } from '../../training/tensorflow.js';
import { benchTraining } from '../../training/learning/train-bench.js';

const BATCH_SIZE = 8;
/** Mean of the positions that self-play meets. */
const LEGAL_ACTIONS = 400;
const CONCURRENT_GAMES = 16;

/** What `benchSelfPlay` measures, a second, in one process. */
export interface SelfPlayRates {
  /** Positions that went through the network in self-play. */
  readonly evalsPerSecond: number;
  /** The same network and batch without anything around it, measured right before and after. */
  readonly bareEvalsPerSecond: number;
  /** Positions for the learner. */
  readonly positionsPerSecond: number;
}

/** Self-play of Gess with an untrained network of 32 channels and 4 blocks. */
export async function benchSelfPlay(): Promise<SelfPlayRates> {
  const game = createGess({ plyLimit: 30 });
  const network = createNetwork(networkShape(game, NetworkConfig.parse({})), createRng(1, 'bench'));
  const model = encodeOnnxModel(network, 'legal');
  const bare = (): Promise<number> =>
    measureBareSession(game, model, { batchSize: BATCH_SIZE, legalActions: LEGAL_ACTIONS, seconds: 2 });
  const config = SelfPlayConfig.parse({
    concurrentGames: CONCURRENT_GAMES,
    batchSize: BATCH_SIZE,
    search: { simulations: 16 },
  });
  const evaluator = await NetworkEvaluator.load(game, model, { batchSize: BATCH_SIZE });
  const before = await bare();
  const startMs = performance.now();
  const games = await playSelfPlayGames(
    { game, config, seed: 1 },
    { firstGame: 0, games: CONCURRENT_GAMES },
    evaluator,
  );
  const seconds = (performance.now() - startMs) / 1000;
  const evaluated = evaluator.evaluated;
  await evaluator.dispose();
  const { positions } = sumStatistics(games.map(({ statistics }) => statistics));
  return {
    evalsPerSecond: Math.round(evaluated / seconds),
    bareEvalsPerSecond: Math.round((before + (await bare())) / 2),
    positionsPerSecond: Math.round(positions / seconds),
  };
}

/** Samples a second of the bare training step: 32 channels, 4 blocks, batch 256, 2 threads. */
export function benchTrain(): { samplesPerSecond: number } {
  const game = createGess();
  const { samplesPerSecond } = benchTraining({
    tf: loadTensorflow({ threads: 2 }),
    observation: game.observationShape,
    numActions: game.numActions,
    network: NetworkConfig.parse({}),
    batchSize: 256,
    seconds: 10,
    rng: createRng(1, 'bench'),
  });
  return { samplesPerSecond: Math.round(samplesPerSecond) };
}
