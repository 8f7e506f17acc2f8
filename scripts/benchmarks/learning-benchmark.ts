import { createGess } from '../../env/gess/gess.js';
import { createRng } from '../../env/random.js';
import { NetworkConfig } from '../../training/config.js';
import { loadTensorflow } from '../../training/tensorflow.js';
import { benchTraining } from '../../training/learning/train-bench.js';

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
