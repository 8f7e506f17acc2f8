import { measureBareSession } from '../../agents/evaluators/network-evaluator.js';
import { createRng } from '../../env/random.js';
import type { Game } from '../../env/game.js';
import { NetworkConfig } from '../../training/config.js';
import { createNetwork, networkShape } from '../../training/network/network.js';
import { encodeOnnxModel, type OnnxForm } from '../../training/network/onnx-model.js';
import { measure, type Measured } from './measured.js';

/** Mean of the positions that self-play meets. */
const LEGAL_ACTIONS = 400;
const BARE_SECONDS = 2;

/** The network of the benchmarks, untrained, 32 channels and 4 blocks, as an ONNX model. */
export function benchModel(game: Game<unknown>, form: OnnxForm = 'legal'): Uint8Array {
  const shape = networkShape(game, NetworkConfig.parse({}));
  return encodeOnnxModel(createNetwork(shape, createRng(1, 'bench')), form);
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
