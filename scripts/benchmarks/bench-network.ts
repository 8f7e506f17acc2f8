import { paddedLegalCount } from '../../agents/evaluators/network-inputs.js';
import { createRng } from '../../env/random.js';
import type { Game } from '../../env/game.js';
import { NetworkConfig } from '../../training/network/network-config.js';
import { observeCarefulPositions } from '../../training/play/careful-positions.js';
import { calibrate } from '../../training/network/calibration.js';
import { createNetwork, type Network } from '../../training/network/network.js';
import { networkShape } from '../../training/network/network-shape.js';
import { useOnnxModel } from '../../training/inference/onnx-session.js';
import { encodeOnnxModel, type OnnxForm } from '../../training/network/onnx/onnx-model.js';
import { loadTensorflow } from '../../training/tensorflow/tensorflow.js';
import { measure, type Measured } from './measured.js';

/** Mean number of legal actions in self-play. */
const LEGAL_ACTIONS = 400;
const BARE_MS = 1000;
const CALIBRATION_POSITIONS = 32;

/** The network of the benchmarks, untrained, 32 channels and 4 blocks. */
function benchNetwork(game: Game<unknown>): Network {
  return createNetwork(networkShape(game, NetworkConfig.parse({})), createRng(1, 'bench'));
}

/** The network of the benchmarks as an ONNX model. */
export function benchModel(game: Game<unknown>, form: OnnxForm = 'legal'): Uint8Array {
  return encodeOnnxModel(benchNetwork(game), form);
}

/** The same with its trunk in int8, calibrated on positions of careful random games. */
export function benchInt8Model(game: Game<unknown>): Uint8Array {
  const network = benchNetwork(game);
  const observations = observeCarefulPositions(game, CALIBRATION_POSITIONS, createRng(1, 'calibration'));
  const calibration = calibrate(loadTensorflow({ threads: 1 }), network, observations, CALIBRATION_POSITIONS);
  return encodeOnnxModel(network, 'legal', {}, calibration);
}

/**
 * Evaluations of the network by ONNX Runtime alone, on one repeated batch: an upper bound for `NetworkEvaluator`.
 *
 * @param model bytes of an ONNX model of the form `legal`.
 */
export async function measureBare(
  game: Game<unknown>,
  model: Uint8Array,
  batchSize: number,
): Promise<Measured> {
  const [rows, columns, planes] = game.observationShape;
  const width = paddedLegalCount(LEGAL_ACTIONS);
  const planesData = new Float32Array(batchSize * rows * columns * planes).fill(0.5);
  const inputs = {
    observation: { data: planesData, shape: [batchSize, rows, columns, planes] },
    legal: { data: new Int32Array(batchSize * width), shape: [batchSize, width] },
  };
  return useOnnxModel(model, async (session) => {
    await session.run(inputs);
    return measure(async () => {
      const endMs = performance.now() + BARE_MS;
      let evaluations = 0;
      for (; performance.now() < endMs; evaluations += batchSize) await session.run(inputs);
      return evaluations;
    });
  });
}
