import type { Network } from '../../network/network.js';

/** Kernels and biases by name: weights, or their gradient. */
type Parameters = Network['parameters'];

/** The mean input of layers, by their names: `[in]`, over the positions of a batch and, for planes, their squares. */
export type MeanInputs = ReadonlyMap<string, Float32Array>;

/** A layer, or its part of the gradient. */
interface LayerArrays {
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
  readonly mean: Float32Array;
}

/** Adds to the bias of each layer `factor` times the output that its kernel gives for the mean input, in place. */
function addMeanOutput({ kernel, bias, mean }: LayerArrays, factor: number): void {
  const units = bias.length;
  for (let unit = 0; unit < units; unit++) {
    let sum = 0;
    for (let i = unit, row = 0; i < kernel.length; i += units, row++)
      sum += kernel[i]! * mean[row % mean.length]!;
    bias[unit]! += factor * sum;
  }
}

/**
 * Where a difference is smaller than this share of what is subtracted, it is a rounding error: the input is constant.
 * Adam would take steps of full size on it.
 */
const ROUNDING = 1e-4;

/** Takes the part of the mean input away from the gradient of a kernel, in place. */
function subtractMeanInput({ kernel, bias, mean }: LayerArrays): void {
  const units = bias.length;
  for (let row = 0; row < kernel.length / units; row++) {
    const input = mean[row % mean.length]!;
    for (let unit = 0; unit < units; unit++) {
      const part = input * bias[unit]!;
      const rest = kernel[row * units + unit]! - part;
      kernel[row * units + unit] = Math.abs(rest) < ROUNDING * Math.abs(part) ? 0 : rest;
    }
  }
}

function arraysOf(parameters: Parameters, means: MeanInputs): readonly LayerArrays[] {
  return Array.from(means, ([name, mean]) => ({
    kernel: parameters.get(`${name}/kernel`)!,
    bias: parameters.get(`${name}/bias`)!,
    mean,
  }));
}

/**
 * Makes a gradient, in place, that of layers with centred inputs: `W x + b` written as `W (x - m) + c`, with `m` the mean
 * input and `c = b + W m`. Both compute the same, but learn differently. Inputs that come from a ReLU are at least 0, so
 * a step on `W` alone moves the output of a unit on all squares at once. Muon makes it as large as the steps in all
 * other directions, and thousands of them end with units that are 0 nearly everywhere.
 *
 * A convolution is padded with zeros; on the edge, too, the mean is taken to be that of the inside.
 *
 * @see LeCun et al. 1998, "Efficient BackProp", section 4.3; Montavon & Müller 2012, "Deep Boltzmann Machines and the
 *   Centering Trick", section 3.
 */
export function centreGradient(gradient: Parameters, means: MeanInputs): void {
  for (const layer of arraysOf(gradient, means)) subtractMeanInput(layer);
}

/** Calls `step`, which changes weights in place, with the biases of layers with centred inputs (`centreGradient`). */
export function stepCentred(weights: Parameters, means: MeanInputs, step: () => void): void {
  const layers = arraysOf(weights, means);
  for (const layer of layers) addMeanOutput(layer, 1);
  step();
  for (const layer of layers) addMeanOutput(layer, -1);
}
