import {
  PART_NAMES,
  STONE_CHANNELS,
  WINDOW_CHANNELS,
} from '../../../env/gess/heuristics/patterns/pattern-weights.js';
import type { PatternGradient, SparseGradient } from './pattern-gradient.js';
import type { PatternParameters } from './pattern-network.js';

/** Published defaults of Adam (Kingma and Ba 2015). */
const FIRST_DECAY = 0.9;
const SECOND_DECAY = 0.999;
const EPSILON = 1e-8;

/**
 * Adam (Kingma and Ba 2015) on the weights of a pattern network. A vector that no position of a batch has keeps its
 * moments in that step, so that a step costs what the batch touches.
 */
export class PatternOptimizer {
  private readonly parameters: PatternParameters;
  private readonly first: PatternParameters;
  private readonly second: PatternParameters;
  private steps = 0;

  constructor(parameters: PatternParameters) {
    this.parameters = parameters;
    const zeros = (): PatternParameters =>
      Object.fromEntries(
        PART_NAMES.map((name) => [name, new Float32Array(parameters[name].length)]),
      ) as PatternParameters;
    this.first = zeros();
    this.second = zeros();
  }

  /** Takes a step against `gradient` times `scale`. */
  step(gradient: PatternGradient, scale: number, learningRate: number): void {
    this.steps += 1;
    const rates = {
      scale,
      rate: learningRate / (1 - FIRST_DECAY ** this.steps),
      secondScale: 1 / (1 - SECOND_DECAY ** this.steps),
    };
    this.stepRows('windows', gradient.windows, WINDOW_CHANNELS, rates);
    this.stepRows('places', gradient.places, STONE_CHANNELS, rates);
    for (const [name, slopes] of Object.entries(gradient.dense)) {
      this.stepRange(name as keyof typeof gradient.dense, slopes, { from: 0, to: slopes.length }, rates);
    }
  }

  private stepRows(
    name: 'windows' | 'places',
    { touched, count, values }: SparseGradient,
    channels: number,
    rates: Rates,
  ): void {
    for (let i = 0; i < count; i++) {
      const from = touched[i]! * channels;
      this.stepRange(name, values, { from, to: from + channels }, rates);
    }
  }

  private stepRange(
    name: keyof PatternParameters,
    slopes: Float32Array,
    { from, to }: { readonly from: number; readonly to: number },
    { scale, rate, secondScale }: Rates,
  ): void {
    const weights = this.parameters[name];
    const firsts = this.first[name];
    const seconds = this.second[name];
    for (let i = from; i < to; i++) {
      const slope = slopes[i]! * scale;
      const first = FIRST_DECAY * firsts[i]! + (1 - FIRST_DECAY) * slope;
      const second = SECOND_DECAY * seconds[i]! + (1 - SECOND_DECAY) * slope * slope;
      firsts[i] = first;
      seconds[i] = second;
      weights[i]! -= (rate * first) / (Math.sqrt(second * secondScale) + EPSILON);
    }
  }
}

interface Rates {
  readonly scale: number;
  readonly rate: number;
  readonly secondScale: number;
}
