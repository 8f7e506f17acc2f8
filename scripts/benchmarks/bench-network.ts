import { measureBareSession } from '../../agents/evaluators/network-evaluator.js';
import { createRng } from '../../env/random.js';
import type { Game } from '../../env/game.js';
import { NetworkConfig } from '../../training/network/network-config.js';
import { observeCarefulPositions } from '../../training/checkpoints/careful-positions.js';
import { calibrate } from '../../training/network/calibration.js';
import { createNetwork, type Network, networkShape } from '../../training/network/network.js';
import { encodeOnnxModel, type OnnxForm } from '../../training/network/onnx-model.js';
import { loadTensorflow } from '../../training/tensorflow/tensorflow.js';
import { measure, type Measured } from './measured.js';

/** Mean of the positions that self-play meets. */
const LEGAL_ACTIONS = 400;
const BARE_SECONDS = 2;
const CALIBRATION_POSITIONS = 32;

/** The network of the benchmarks, untrained, 32 channels and 4 blocks. */
function benchNetwork(game: Game<unknown>): Network {
  return createNetwork(networkShape(game, NetworkConfig.parse({})), createRng(1, 'bench'));
}

/** The network of the benchmarks as an ONNX model. */
export function benchModel(game: Game<unknown>, form: OnnxForm = 'legal'): Uint8Array {
  return encodeOnnxModel(benchNetwork(game), form);
}

/** The same with its trunk in int8, for the ranges of some positions of careful random games. */
export function benchInt8Model(game: Game<unknown>): Uint8Array {
  const network = benchNetwork(game);
  const observations = observeCarefulPositions(game, CALIBRATION_POSITIONS, createRng(1, 'calibration'));
  const calibration = calibrate(loadTensorflow({ threads: 1 }), network, observations, CALIBRATION_POSITIONS);
  return encodeOnnxModel(network, 'legal', {}, calibration);
}

/** Evaluations of the network in ONNX Runtime, with nothing around it. */
export function measureBare(game: Game<unknown>, model: Uint8Array, batchSize: number): Promise<Measured> {
  const options = { batchSize, legalActions: LEGAL_ACTIONS, seconds: BARE_SECONDS };
  return measure(async () => {
    const startMs = performance.now();
    const rate = await measureBareSession(game, model, options);
    return (rate * (performance.now() - startMs)) / 1000;
  });
}
