import {
  PART_NAMES,
  STONE_CHANNELS,
  WINDOW_CHANNELS,
} from '../../../env/gess/heuristics/patterns/pattern-weights.js';
import type { OptimizerState } from '../../checkpoints/optimizer-state.js';
import { adamStep } from '../../learning/optimizer/adam.js';
import type { PatternGradient, SparseGradient } from './pattern-gradient.js';
import type { PatternParameters } from './pattern-network.js';

/**
 * Adam on the weights of a pattern network. A vector that no position of a batch has keeps its moments in that step, so
 * that a step costs what the batch touches.
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

  /** Takes a step against the gradient. */
  step(gradient: PatternGradient, learningRate: number): void {
    this.steps += 1;
    this.stepRows('windows', gradient.windows, WINDOW_CHANNELS, learningRate);
    this.stepRows('places', gradient.places, STONE_CHANNELS, learningRate);
    for (const [name, slopes] of Object.entries(gradient.dense)) {
      const part = name as keyof typeof gradient.dense;
      const range = { from: 0, to: slopes.length, learningRate };
      adamStep(this.parameters[part], slopes, this.stateOf(part), range);
    }
  }

  private stateOf(part: keyof PatternParameters): OptimizerState {
    return { step: this.steps, firstMoment: this.first[part], secondMoment: this.second[part] };
  }

  private stepRows(
    part: 'windows' | 'places',
    { touched, count, values }: SparseGradient,
    channels: number,
    learningRate: number,
  ): void {
    const weights = this.parameters[part];
    const state = this.stateOf(part);
    for (let i = 0; i < count; i++) {
      const from = touched[i]! * channels;
      adamStep(weights, values, state, { from, to: from + channels, learningRate });
    }
  }
}
