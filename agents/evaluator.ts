import type { Game } from '../env/game.js';

/**
 * Positions to evaluate and what came of it, as flat arrays that are filled again and again. `B` is
 * `capacity`, `O` the size of an observation, `L` the greatest number of legal actions.
 */
export class EvaluationBatch {
  readonly capacity: number;
  /** Positions in the batch now. */
  size = 0;
  /** `[B, O]` network inputs, mover's view. */
  readonly observations: Float32Array;
  /** `[B]` keys for a cache: `Game.observationHash`. */
  readonly keys: Float64Array;
  /** `[B + 1]` the policy indices of position `i` lie from `start[i]` to `start[i + 1]`. */
  readonly start: Int32Array;
  /** `[B * L]` policy indices of the legal actions, in the order of `legalActions`. */
  readonly policyIndices: Int32Array;
  /** `[B * L]` output: probabilities of the legal actions, in the same order; they sum to 1 a position. */
  readonly priors: Float32Array;
  /** `[B, 3]` output: probabilities of win, draw and loss for the player to move. */
  readonly outcomes: Float32Array;
  /** `[L]` scratch: begins with the legal actions of the position added last. */
  readonly legalActions: Int32Array;

  constructor(game: Game<unknown>, capacity: number) {
    const [rows, columns, planes] = game.observationShape;
    this.capacity = capacity;
    this.observations = new Float32Array(capacity * rows * columns * planes);
    this.keys = new Float64Array(capacity);
    this.start = new Int32Array(capacity + 1);
    this.policyIndices = new Int32Array(capacity * game.maxLegalActions);
    this.priors = new Float32Array(capacity * game.maxLegalActions);
    this.outcomes = new Float32Array(capacity * 3);
    this.legalActions = new Int32Array(game.maxLegalActions);
  }

  clear(): void {
    this.size = 0;
  }

  /** Adds a position that is not over. The batch must have room. */
  add<State>(game: Game<State>, state: State): void {
    const observationSize = this.observations.length / this.capacity;
    const player = game.currentPlayer(state);
    const from = this.start[this.size]!;
    const count = game.legalActions(state, this.legalActions);
    for (let i = 0; i < count; i++) {
      this.policyIndices[from + i] = game.policyIndex(player, this.legalActions[i]!);
    }
    game.observe(state, this.observations, this.size * observationSize);
    this.keys[this.size] = game.observationHash(state);
    this.size += 1;
    this.start[this.size] = from + count;
  }
}

/** Judges positions: a prior for each legal action, and who will win. */
export interface Evaluator {
  /** Its part of an agent's name. */
  readonly name: string;
  /** Fills `priors` and `outcomes` of all positions in the batch. */
  evaluate(batch: EvaluationBatch): Promise<void>;
  dispose(): Promise<void>;
}
