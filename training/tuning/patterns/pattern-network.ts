import {
  HIDDEN,
  PART_NAMES,
  partSize,
  type PatternPart,
  STONE_CHANNELS,
  STONE_SUMS,
  SUMS,
  WINDOW_CHANNELS,
} from '../../../env/gess/heuristics/patterns/pattern-weights.js';
import type { Rng } from '../../../env/random.js';
import { PatternFeatures } from './pattern-features.js';
import type { PatternGradient } from './pattern-gradient.js';

/** The weights of a pattern network as floating-point numbers, by part, row-major. */
export type PatternParameters = Readonly<Record<PatternPart, Float32Array>>;

/** Spread of the vectors of windows and places at the start. */
const START_SPREAD = 0.02;

/** Untrained weights: small random vectors, and dense layers whose outputs have about the size of their inputs. */
export function startParameters(rng: Rng): PatternParameters {
  const spreads: Readonly<Record<PatternPart, number>> = {
    windows: START_SPREAD,
    places: START_SPREAD,
    sumBias: 0,
    hidden1: Math.sqrt(3 / (2 * SUMS)),
    hidden1Bias: 0,
    hidden2: Math.sqrt(3 / HIDDEN),
    hidden2Bias: 0,
    output: Math.sqrt(3 / HIDDEN),
    outputBias: 0,
  };
  const parts = PART_NAMES.map((name) => {
    const spread = spreads[name];
    return [
      name,
      Float32Array.from({ length: partSize(name) }, () => (2 * rng.float() - 1) * spread),
    ] as const;
  });
  const parameters = Object.fromEntries(parts) as PatternParameters;
  // Empty windows are not listed.
  parameters.windows.fill(0, 0, WINDOW_CHANNELS);
  // Sums start in the middle of their range, where they learn.
  parameters.sumBias.fill(0.25);
  return parameters;
}

/** Adds the rows `rows` of `table`, `[, channels]`, to `sums` from `starts[i]` on. */
function gather(
  sums: Float32Array,
  table: Float32Array,
  channels: number,
  { rows, starts, count }: { rows: Uint16Array; starts: Uint16Array | number; count: number },
): void {
  for (let i = 0; i < count; i++) {
    const from = rows[i]! * channels;
    const to = typeof starts === 'number' ? starts : starts[i]!;
    for (let k = 0; k < channels; k++) sums[to + k]! += table[from + k]!;
  }
}

/** `outputs = inputs * weights + bias` for `weights` `[outputs, inputs]`. */
function dense(inputs: Float32Array, weights: Float32Array, bias: Float32Array, outputs: Float32Array): void {
  const { length } = inputs;
  for (let unit = 0; unit < outputs.length; unit++) {
    let sum = bias[unit]!;
    const from = unit * length;
    for (let i = 0; i < length; i++) sum += inputs[i]! * weights[from + i]!;
    outputs[unit] = sum;
  }
}

/** Limits values to [0, 1]. */
function limit(values: Float32Array, out: Float32Array): void {
  for (let i = 0; i < values.length; i++) out[i] = Math.min(1, Math.max(0, values[i]!));
}

/** Whether the limits pass a slope on. */
function isInside(value: number): boolean {
  return value > 0 && value < 1;
}

/** Slopes of a dense layer: adds those of weights and bias, and writes those of the limited inputs. */
function denseBackward(
  slopes: Float32Array,
  { inputs, before, weights }: { inputs: Float32Array; before: Float32Array; weights: Float32Array },
  gradient: { weights: Float32Array; bias: Float32Array },
  inputSlopes: Float32Array,
): void {
  const { length } = inputs;
  inputSlopes.fill(0);
  for (let unit = 0; unit < slopes.length; unit++) {
    const slope = slopes[unit]!;
    if (slope === 0) continue;
    gradient.bias[unit]! += slope;
    const from = unit * length;
    for (let i = 0; i < length; i++) {
      gradient.weights[from + i]! += slope * inputs[i]!;
      inputSlopes[i]! += slope * weights[from + i]!;
    }
  }
  for (let i = 0; i < length; i++) if (!isInside(before[i]!)) inputSlopes[i] = 0;
}

/** A pattern network in floating point, with its gradient. */
export class PatternNetwork {
  readonly parameters: PatternParameters;
  private readonly features = new PatternFeatures();
  /** `[2 * SUMS]` both views' sums, before and after the limits; likewise the layers. */
  private readonly sums = new Float32Array(2 * SUMS);
  private readonly views = [this.sums.subarray(0, SUMS), this.sums.subarray(SUMS)] as const;
  private readonly inputs = new Float32Array(2 * SUMS);
  private readonly hidden1 = new Float32Array(HIDDEN);
  private readonly active1 = new Float32Array(HIDDEN);
  private readonly hidden2 = new Float32Array(HIDDEN);
  private readonly active2 = new Float32Array(HIDDEN);
  private readonly result = new Float32Array(1);
  private readonly slopes2 = new Float32Array(HIDDEN);
  private readonly slopes1 = new Float32Array(HIDDEN);
  private readonly slopes0 = new Float32Array(2 * SUMS);

  constructor(parameters: PatternParameters) {
    this.parameters = parameters;
  }

  /**
   * The output for a row, whose hyperbolic tangent is the value to the player to move.
   *
   * @param words as in `PatternRows`.
   */
  output(words: Int32Array, row: number, isMirrored = false): number {
    const { features, parameters, views } = this;
    features.read(words, row, isMirrored);
    const { windows, stones } = features;
    for (const [view, sums] of views.entries()) {
      const [codes, starts] = [features.codes[view as 0 | 1], features.parts[view as 0 | 1]];
      sums.set(parameters.sumBias);
      gather(sums, parameters.windows, WINDOW_CHANNELS, { rows: codes, starts, count: windows });
      const places = { rows: features.places[view as 0 | 1], starts: STONE_SUMS, count: stones };
      gather(sums, parameters.places, STONE_CHANNELS, places);
    }
    limit(this.sums, this.inputs);
    dense(this.inputs, parameters.hidden1, parameters.hidden1Bias, this.hidden1);
    limit(this.hidden1, this.active1);
    dense(this.active1, parameters.hidden2, parameters.hidden2Bias, this.hidden2);
    limit(this.hidden2, this.active2);
    dense(this.active2, parameters.output, parameters.outputBias, this.result);
    return this.result[0]!;
  }

  /** Adds the gradient of `slope * output` for the row of the last call of `output`. */
  addGradient(slope: number, gradient: PatternGradient): void {
    const { parameters, features, slopes0, slopes1, slopes2 } = this;
    const { dense: parts } = gradient;
    const last = { inputs: this.active2, before: this.hidden2, weights: parameters.output };
    denseBackward(Float32Array.of(slope), last, { weights: parts.output, bias: parts.outputBias }, slopes2);
    const second = { inputs: this.active1, before: this.hidden1, weights: parameters.hidden2 };
    denseBackward(slopes2, second, { weights: parts.hidden2, bias: parts.hidden2Bias }, slopes1);
    const first = { inputs: this.inputs, before: this.sums, weights: parameters.hidden1 };
    denseBackward(slopes1, first, { weights: parts.hidden1, bias: parts.hidden1Bias }, slopes0);
    for (const view of [0, 1] as const) {
      const start = view * SUMS;
      for (let i = 0; i < SUMS; i++) parts.sumBias[i]! += slopes0[start + i]!;
      for (let i = 0; i < features.windows; i++) {
        gradient.windows.add(features.codes[view][i]!, slopes0, start + features.parts[view][i]!);
      }
      for (let i = 0; i < features.stones; i++) {
        gradient.places.add(features.places[view][i]!, slopes0, start + STONE_SUMS);
      }
    }
  }
}
