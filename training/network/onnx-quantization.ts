import type { Calibration } from './calibration.js';
import type { WeightsOf } from './layer-weights.js';
import { outputsFirst, type OnnxGraph } from './onnx-graph.js';

/** How the trunk of an ONNX graph computes; each method returns the name of the value that it adds. */
export interface TrunkArithmetic {
  /** The convolution of a layer, without ReLU. */
  convolution(layer: string, input: string): string;
  /** The value as the layers after it read it. */
  stored(value: string): string;
}

/** Steps of an activation, which is stored as uint8. */
const ACTIVATION_STEPS = 255;
/** Greatest weight as int8; -128 is left out, so that positive and negative numbers are alike. */
const GREATEST_WEIGHT = 127;
/** Greatest bias as int32, with room for the sum of the products. */
const GREATEST_BIAS = 2 ** 30;

/** A smaller step, of what is always 0 or nearly so, would leave float32. */
const SMALLEST_STEP = 2 ** -40;

/** Number 0 is `zeroPoint`, and a step is `scale`. */
interface Steps {
  readonly scale: number;
  readonly zeroPoint: number;
}

/** Steps over a range and 0; those of ReLU begin at 0. */
function stepsOver({ least, greatest }: Calibration[string]): Steps {
  const [low, high] = [Math.min(0, least), Math.max(0, greatest)];
  const scale = Math.fround(Math.max((high - low) / ACTIVATION_STEPS, SMALLEST_STEP));
  return { scale, zeroPoint: Math.round(-low / scale) };
}

/** Weights as whole numbers, each output's in steps of its own. */
interface QuantizedWeights {
  /** `[O, I, H, W]` */
  readonly kernel: Int8Array;
  /** `[O]` steps of the kernel. */
  readonly scales: Float32Array;
  /** `[O]` in steps of `biasScales`, those of the products. */
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
    // Of an output with hardly any weights the steps are so large that its bias is still an int32.
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
 * The trunk in int8: activations are uint8 with one step a tensor, weights int8 with one step an output, biases int32.
 * It is written as operators on float32 between pairs of `QuantizeLinear` and `DequantizeLinear`, which ONNX Runtime makes
 * one operator on whole numbers of (`QLinearConv`, `QLinearAdd`); another reader may compute it as it stands.
 *
 * @see Jacob et al. 2018, "Quantization and training of neural networks for efficient integer-arithmetic-only inference".
 */
export class QuantizedTrunk implements TrunkArithmetic {
  private readonly graph: OnnxGraph;
  private readonly weights: WeightsOf;
  private readonly calibration: Calibration;
  /** Of the stored values, by the names under which layers read them. */
  private readonly scales = new Map<string, number>();

  /** @param calibration has every value that is stored. */
  constructor(graph: OnnxGraph, weights: WeightsOf, calibration: Calibration) {
    this.graph = graph;
    this.weights = weights;
    this.calibration = calibration;
  }

  /** @throws RangeError for a value that the calibration lacks: it is of another network. */
  stored(value: string): string {
    const { graph } = this;
    const range = this.calibration[value];
    if (range === undefined) throw new RangeError(`expected the range of ${value} in the calibration`);
    const { scale, zeroPoint } = stepsOver(range);
    const steps = [
      graph.constant(`${value}/scale`, Float32Array.of(scale), []),
      graph.constant(`${value}/zero`, Uint8Array.of(zeroPoint), []),
    ];
    const whole = graph.node('QuantizeLinear', [value, ...steps], `${value}/uint8`);
    const name = graph.node('DequantizeLinear', [whole, ...steps], `${value}/stored`);
    this.scales.set(name, scale);
    return name;
  }

  /** @param input what `stored` returned. */
  convolution(layer: string, input: string): string {
    const { graph } = this;
    const { kernel, kernelShape, bias } = this.weights(layer);
    const [height, width, inputs, outputs] = kernelShape as [number, number, number, number];
    const whole = quantizeWeights(outputsFirst(kernel, kernelShape), bias, this.scales.get(input)!);
    const kernelParts = [
      graph.constant(`${layer}/kernel`, whole.kernel, [outputs, inputs, height, width]),
      graph.constant(`${layer}/kernel/scale`, whole.scales, [outputs]),
      graph.constant(`${layer}/kernel/zero`, new Int8Array(outputs), [outputs]),
    ];
    const biasParts = [
      graph.constant(`${layer}/bias`, whole.bias, [outputs]),
      graph.constant(`${layer}/bias/scale`, whole.biasScales, [outputs]),
      graph.constant(`${layer}/bias/zero`, new Int32Array(outputs), [outputs]),
    ];
    const weights = [
      graph.node('DequantizeLinear', kernelParts, `${layer}/kernel/stored`, { axis: 0 }),
      graph.node('DequantizeLinear', biasParts, `${layer}/bias/stored`, { axis: 0 }),
    ] as const;
    return graph.convolutionBy(layer, input, weights, kernelShape);
  }
}
