/** State of the optimiser between steps. `W` is the number of weights. */
export interface OptimizerState {
  /** Steps taken. */
  step: number;
  /** `[W]` decaying mean of the gradients; for Muon's matrices, their momentum. */
  readonly firstMoment: Float32Array;
  /** `[W]` decaying mean of their squares; for Muon's matrices, zeros. */
  readonly secondMoment: Float32Array;
}

/** The state before the first step. */
export function createOptimizerState(weights: number): OptimizerState {
  return { step: 0, firstMoment: new Float32Array(weights), secondMoment: new Float32Array(weights) };
}
