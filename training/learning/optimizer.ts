import { sizeOfShape } from '../../env/spaces/shape.js';
import type { LearnerConfig } from '../config/learner-config.js';
import type { NetworkShape } from '../network/network-shape.js';
import { parameterSpecs, type ParameterSpec } from '../network/parameter-specs.js';
import { adamStep } from './adam.js';
import { muonStep } from './muon.js';
import type { OptimizerState } from '../checkpoints/optimizer-state.js';

/** A parameter among the weights, and how it is learnt. */
interface LearntRange {
  readonly from: number;
  readonly to: number;
  /** Kernels do, biases don't. */
  readonly decays: boolean;
  /** Of the matrix that Muon takes it as; 0: Adam moves it. */
  readonly muonColumns: number;
}

/** How far one step goes. */
export interface StepOptions {
  readonly learningRate: number;
  /** Decoupled: what a weight loses a step, times the learning rate (Loshchilov & Hutter 2019, algorithm 2). Biases lose nothing. */
  readonly weightDecay: number;
}

/** Muon is for matrices inside the network: the first layer and the heads stay with Adam (Jordan et al. 2024). */
function isInside({ name, shape }: ParameterSpec): boolean {
  return name.startsWith('block') && name.endsWith('/kernel') && shape.length === 4;
}

/** Moves the weights of a network of one shape along gradients. */
export class Optimizer {
  private readonly ranges: readonly LearntRange[];

  /** @param kind all weights are moved by Adam, or the kernels of the residual blocks by Muon. */
  constructor(shape: NetworkShape, kind: LearnerConfig['optimizer']) {
    let from = 0;
    this.ranges = parameterSpecs(shape).map((spec) => {
      const to = from + sizeOfShape(spec.shape);
      const range = {
        from,
        to,
        decays: spec.name.endsWith('/kernel'),
        muonColumns: kind === 'muon' && isInside(spec) ? spec.shape.at(-1)! : 0,
      };
      from = to;
      return range;
    });
  }

  /** One step, in place. */
  step(
    weights: Float32Array,
    gradient: Float32Array,
    state: OptimizerState,
    { learningRate, weightDecay }: StepOptions,
  ): void {
    state.step += 1;
    for (const { from, to, decays, muonColumns } of this.ranges) {
      if (decays) for (let i = from; i < to; i++) weights[i]! *= 1 - learningRate * weightDecay;
      const range = { from, to, learningRate };
      if (muonColumns > 0) muonStep(weights, gradient, state, { ...range, columns: muonColumns });
      else adamStep(weights, gradient, state, range);
    }
  }
}
