import { useOnnxModel } from '../inference/onnx-session.js';
import type { Calibration } from '../network/calibration.js';
import type { Network } from '../network/network.js';
import { encodeOnnxModel } from '../network/onnx/onnx-model.js';

/** `[3]` mean outcome logits of a network over `count` positions, in int8 with a calibration. */
async function meanOutcome(
  network: Network,
  observations: Float32Array,
  count: number,
  calibration?: Calibration,
): Promise<readonly number[]> {
  const observation = { data: observations, shape: [count, ...network.shape.observation] };
  // Logits of moves are not needed.
  const legal = { data: new Int32Array(count), shape: [count, 1] };
  const model = encodeOnnxModel(network, 'legal', {}, calibration);
  const outputs = await useOnnxModel(model, (session) => session.run({ observation, legal }));
  const sums = [0, 0, 0];
  outputs.get('outcome')!.forEach((logit, i) => (sums[i % sums.length]! += logit));
  return sums.map((sum) => sum / count);
}

/**
 * Corrects the bias of int8. Activations that are rounded to steps of their range shift the means of the trunk's
 * outputs, and so all values of a network in the same direction: by up to 0.2 in a run of 17 generations, whose matches
 * it lost (docs/explanation/learning-methods.md, "int8").
 *
 * @param observations `[count, R, C, P]`, at least one position.
 * @returns the calibration with the shift of the outcome logits.
 * @see Nagel et al. 2019, "Data-free quantization through weight equalization and bias correction", section 4.2; here
 *   the bias is measured, and only that of the last layer of the value is corrected.
 */
export async function correctOutcomes(
  network: Network,
  calibration: Calibration,
  observations: Float32Array,
  count: number,
): Promise<Calibration> {
  const exact = await meanOutcome(network, observations, count);
  const shifted = await meanOutcome(network, observations, count, calibration);
  return {
    ...calibration,
    outcomeShift: calibration.outcomeShift.map((shift, i) => shift + exact[i]! - shifted[i]!),
  };
}
