import { ReplayWindow } from '../../data/datasets/replay-window.js';
import { withTemporaryFolder } from '../../data/files/unfinished-paths.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { LearnerConfig } from '../../training/config/groups/learner-config.js';
import { WarmStartConfig } from '../../training/config/groups/warm-start-config.js';
import { NetworkConfig } from '../../training/network/network-config.js';
import {
  benchLearning,
  benchTraining,
  type LearnBenchResult,
  type TrainBenchResult,
} from './learning-speed.js';
import { planShards } from '../../training/self-play/shard-job.js';
import { playShard } from '../../training/self-play/shard-play.js';
import { softwareVersion } from '../../training/software-version.js';
import { loadTensorflow, type Precision, type Tensorflow } from '../../training/tensorflow/tensorflow.js';
import { loadWasmTensorflow } from '../../training/tensorflow/wasm/loading.js';

const SECONDS = 8;
// Short alternating rounds: other load on the machine affects both alike.
const STEPS = 2;
const ROUNDS = 10;
const GAMES = 40;
const THREADS = 2;
/** Adam alone, without averaging: the cheapest step, comparable between versions. */
const LEARNER = LearnerConfig.parse({ optimizer: 'adamw', averaging: { kind: 'none' }, symmetries: true });

/** Speed of the bare training step: 32 channels, 4 blocks, 250 legal actions. */
function stepRate(tf: Tensorflow, batchSize: number, seconds: number): TrainBenchResult {
  const game = createGame('gess');
  return benchTraining({
    tf,
    observation: game.observationShape,
    numActions: game.numActions,
    network: NetworkConfig.parse({}),
    batchSize,
    seconds,
    rng: createRng(1, 'bench'),
  });
}

/** The same on native TensorFlow: batch 256, 2 threads. */
export function measureStep(precision: Precision): TrainBenchResult {
  return stepRate(loadTensorflow({ threads: THREADS, precision }), 256, SECONDS);
}

/** The same on WebAssembly: one thread, batch 32. A batch of 256 would take seconds, at the same time per sample. */
export async function measureWasmStep(): Promise<TrainBenchResult> {
  return stepRate(await loadWasmTensorflow(), 32, SECONDS / 2);
}

/** Measures learning from a shard of careful games on disk, beside the bare step. */
export async function measureLearning(precision: Precision): Promise<LearnBenchResult> {
  const game = createGame('gess');
  return withTemporaryFolder('gess-bench-', async (folder) => {
    const jobs = await planShards({
      game: { id: game.id, rules: game.rules },
      source: { kind: 'agent', config: WarmStartConfig.parse({ agent: 'careful' }) },
      seed: 1,
      generation: 0,
      firstGame: 0,
      games: GAMES,
      gamesPerShard: GAMES / 2,
      folder,
      softwareVersion: softwareVersion(),
    });
    for (const job of jobs) await playShard(job);
    const paths = jobs.map(({ path }) => path);
    return await benchLearning({
      tf: loadTensorflow({ threads: THREADS, precision }),
      game,
      network: NetworkConfig.parse({}),
      window: await ReplayWindow.open(paths, { game, validationShare: 0 }),
      learner: LEARNER,
      steps: STEPS,
      rounds: ROUNDS,
      rng: createRng(1, 'bench'),
    });
  });
}
