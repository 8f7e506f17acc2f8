import type { ActivationRange, Calibration } from '../calibration.js';
import type { Layer } from '../layer-builder.js';
import type { WeightsOf } from './layer-weights.js';
import { outputsFirst, type OnnxGraph } from './onnx-graph.js';
import type { Arithmetic } from './onnx-layers.js';

/** Number of steps in an activation's range; activations are stored as uint8. */
const ACTIVATION_STEPS = 255;
/**
 * Greatest weight as int8. Processors with AVX2 or AVX-512 but without VNNI add two products of an activation and a
 * weight in int16, which saturates: 2 * 255 * 64 still fits, so the result is the same on every processor.
 *
 * @see https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html, `reduce_range`.
 */
const GREATEST_WEIGHT = 64;
/** Greatest bias as int32, with room for the sum of the products. */
const GREATEST_BIAS = 2 ** 30;

/** Least step: smaller steps, for values that are almost always 0, would underflow float32. */
const SMALLEST_STEP = 2 ** -40;

/** A linear quantization: 0 is stored as `zeroPoint`, and adjacent integers differ by `scale`. */
interface Steps {
  readonly scale: number;
  readonly zeroPoint: number;
}

/** Divides a range, extended to include 0, into steps; outputs of ReLU use all of them. */
function stepsOver({ least, greatest }: ActivationRange): Steps {
  const [low, high] = [Math.min(0, least), Math.max(0, greatest)];
  const scale = Math.fround(Math.max((high - low) / ACTIVATION_STEPS, SMALLEST_STEP));
  return { scale, zeroPoint: Math.round(-low / scale) };
}

/** Weights as integers, with one scale for each output. */
interface QuantizedWeights {
  /** `[O, I, H, W]` */
  readonly kernel: Int8Array;
  /** `[O]` scales of the kernel. */
  readonly scales: Float32Array;
  /** `[O]` in units of `biasScales`, the scales of the products. */
  readonly bias: Int32Array;
  readonly biasScales: Float32Array;
}

/** @param kernel `[O, I, H, W]`. */
function quantizeWeights(kernel: Float32Array, bias: Float32Array, inputScale: number): QuantizedWeights {
  const outputs = bias.length;
  const size = kernel.length / outputs;
  const out: QuantizedWeights = {
    kernel: new Int8Array(kernel.length),
    scales: new Float32Array(outputs),
    bias: new Int32Array(outputs),
    biasScales: new Float32Array(outputs),
  };
  for (let output = 0; output < outputs; output++) {
    const from = output * size;
    let greatest = 0;
    for (let i = from; i < from + size; i++) greatest = Math.max(greatest, Math.abs(kernel[i]!));
    // An output with almost no weights gets a scale large enough for its bias to fit in int32.
    const forBias = Math.abs(bias[output]!) / (inputScale * GREATEST_BIAS);
    const scale = Math.fround(Math.max(greatest / GREATEST_WEIGHT, forBias, SMALLEST_STEP));
    const biasScale = Math.fround(scale * inputScale);
    out.scales[output] = scale;
    out.biasScales[output] = biasScale;
    out.bias[output] = Math.round(bias[output]! / biasScale);
    for (let i = from; i < from + size; i++) out.kernel[i] = Math.round(kernel[i]! / scale);
  }
  return out;
}

/**
 * Convolutions in int8: activations are uint8 with one scale per tensor, weights int8 in [-64, 64] with one scale per
 * output, biases int32. They are written as operators on float32 between pairs of `QuantizeLinear` and
 * `DequantizeLinear`, which ONNX Runtime fuses into single operators on integers (`QLinearConv`, `QLinearAdd`); other
 * runtimes may compute them as written.
 *
 * @see Jacob et al. 2018, "Quantization and training of neural networks for efficient integer-arithmetic-only
 *   inference".
 */
export class Int8Arithmetic implements Arithmetic {
  private readonly graph: OnnxGraph;
  private readonly weights: WeightsOf;
  private readonly calibration: Calibration;
  /** The dequantized value of each stored value, by name. */
  private readonly dequantized = new Map<string, string>();
  /** Scales of the dequantized values, by name. */
  private readonly scales = new Map<string, number>();

  /** @param calibration has the range of every value that is stored. */
  constructor(graph: OnnxGraph, weights: WeightsOf, calibration: Calibration) {
    this.graph = graph;
    this.weights = weights;
    this.calibration = calibration;
  }

  /** @throws RangeError for a value without a range, which means that the calibration belongs to another network. */
  stored(name: string): string {
    const known = this.dequantized.get(name);
    if (known !== undefined) return known;
    const { graph } = this;
    const range = this.calibration.ranges[name];
    if (range === undefined) throw new RangeError(`expected the range of ${name} in the calibration`);
    const { scale, zeroPoint } = stepsOver(range);
    const steps = [
      graph.constant(`${name}/scale`, Float32Array.of(scale), []),
      graph.constant(`${name}/zero`, Uint8Array.of(zeroPoint), []),
    ];
    const whole = graph.node('QuantizeLinear', [name, ...steps], `${name}/uint8`);
    const stored = graph.node('DequantizeLinear', [whole, ...steps], `${name}/stored`);
    this.dequantized.set(name, stored);
    this.scales.set(stored, scale);
    return stored;
  }

  /** @param input a value that `stored` returned. */
  convolution(layer: Layer, input: string, output: string): string {
    const { graph } = this;
    const { name } = layer;
    const { kernel, kernelShape, bias } = this.weights(layer);
    const [height, width, inputs, outputs] = kernelShape as [number, number, number, number];
    const whole = quantizeWeights(outputsFirst(kernel, kernelShape), bias, this.scales.get(input)!);
    const kernelParts = [
      graph.constant(`${name}/kernel`, whole.kernel, [outputs, inputs, height, width]),
      graph.constant(`${name}/kernel/scale`, whole.scales, [outputs]),
      graph.constant(`${name}/kernel/zero`, new Int8Array(outputs), [outputs]),
    ];
    const biasParts = [
      graph.constant(`${name}/bias`, whole.bias, [outputs]),
      graph.constant(`${name}/bias/scale`, whole.biasScales, [outputs]),
      graph.constant(`${name}/bias/zero`, new Int32Array(outputs), [outputs]),
    ];
    const weights = [
      graph.node('DequantizeLinear', kernelParts, `${name}/kernel/stored`, { axis: 0 }),
      graph.node('DequantizeLinear', biasParts, `${name}/bias/stored`, { axis: 0 }),
    ] as const;
    return graph.convolutionBy([input, ...weights], kernelShape, output);
  }
}
