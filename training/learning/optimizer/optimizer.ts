import { sizeOfShape } from '../../../env/spaces/shape.js';
import type { LearnerConfig } from '../../config/groups/learner-config.js';
import type { NetworkShape } from '../../network/network-shape.js';
import { parameterSpecs, type ParameterSpec } from '../../network/parameter-specs.js';
import { adamStep } from './adam.js';
import { muonStep } from './muon.js';
import type { OptimizerState } from '../../checkpoints/optimizer-state.js';

/** The range of one parameter in the weights, and its optimiser. */
interface LearntRange {
  readonly from: number;
  readonly to: number;
  /** True for kernels, false for biases. */
  readonly decays: boolean;
  /** Columns of the matrix that Muon steps on; 0: Adam steps on the range. */
  readonly muonColumns: number;
}

/** Size of one step. */
export interface StepOptions {
  readonly learningRate: number;
  /** Decoupled weight decay, times the learning rate (Loshchilov & Hutter 2019, algorithm 2); for kernels only. */
  readonly weightDecay: number;
}

/** Muon is for matrices inside the network: the first layer and the heads stay with Adam (Jordan et al. 2024). */
function isInside({ name, shape }: ParameterSpec): boolean {
  return name.startsWith('block') && name.endsWith('/kernel') && shape.length === 4;
}

/** Optimises the weights of networks of one shape. */
export class Optimizer {
  private readonly ranges: readonly LearntRange[];

  /** @param kind Adam for all weights, or Muon for the kernels of the residual blocks. */
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

  /** Takes one step, in place. */
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
