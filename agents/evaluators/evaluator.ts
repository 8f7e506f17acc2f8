import type { Game } from '../../env/game.js';

/** Positions of different games that an agent evaluates together. */
export const AGENT_BATCH_CAPACITY = 32;

/** Contents of an evaluator's batches besides the legal actions. */
export interface BatchContents {
  /** Whether batches hold `observations` and `policyIndices`, which cost as much as listing the moves. */
  readonly readsInputs: boolean;
  /** The game whose `observe` writes the observations, for models with `network.movePlanes`; absent: the batch's game. */
  readonly observedGame?: Game<unknown>;
  /** Whether batches hold `states`. */
  readonly readsStates?: boolean;
}

/**
 * Positions to evaluate and their evaluations, as flat arrays that are reused. `B` is
 * `capacity`, `O` the size of an observation, `L` the game's `maxLegalActions`.
 */
export class EvaluationBatch {
  readonly capacity: number;
  /** Positions in the batch now. */
  size = 0;
  /** `[B]` copies of the positions; empty unless `readsStates`. */
  readonly states: unknown[] = [];
  private readonly contents: BatchContents;
  private readonly observedGame: Game<unknown>;
  /** `[B, O]` network inputs, mover's view; empty without inputs. */
  readonly observations: Float32Array;
  /** `[B]` keys for a cache: `Game.observationHash`. */
  readonly keys: Float64Array;
  /** `[B + 1]` legal actions of position `i` lie from `start[i]` to `start[i + 1]` in `policyIndices` and `priors`. */
  readonly start: Int32Array;
  /** `[B * L]` policy indices of the legal actions, in the order of `legalActions`; empty without inputs. */
  readonly policyIndices: Int32Array;
  /** `[B * L]` output: probabilities of the legal actions, in the same order; those of a position sum to 1. */
  readonly priors: Float32Array;
  /** `[B, 3]` output: probabilities of win, draw and loss for the player to move. */
  readonly outcomes: Float32Array;
  /** `[L]` scratch: the legal actions of the position listed or added last, at the front. */
  readonly legalActions: Int32Array;
  /** The number of these. */
  legalCount = 0;

  /** @param contents the evaluator of the batch; by default, one that reads inputs. */
  constructor(game: Game<unknown>, capacity: number, contents: BatchContents = { readsInputs: true }) {
    const { readsInputs, observedGame = game } = contents;
    const [rows, columns, planes] = observedGame.observationShape;
    this.capacity = capacity;
    this.contents = contents;
    this.observedGame = observedGame;
    this.observations = new Float32Array(readsInputs ? capacity * rows * columns * planes : 0);
    this.keys = new Float64Array(capacity);
    this.start = new Int32Array(capacity + 1);
    this.policyIndices = new Int32Array(readsInputs ? capacity * game.maxLegalActions : 0);
    this.priors = new Float32Array(capacity * game.maxLegalActions);
    this.outcomes = new Float32Array(capacity * 3);
    this.legalActions = new Int32Array(game.maxLegalActions);
  }

  /** Removes all positions. */
  clear(): void {
    this.size = 0;
  }

  /** Writes the legal actions of a position to the front of `legalActions`, and their number to `legalCount`. */
  list<State>(game: Game<State>, state: State): void {
    this.legalCount = game.legalActions(state, this.legalActions);
  }

  /** Adds a position that is not over. The batch must have room. */
  add<State>(game: Game<State>, state: State): void {
    this.list(game, state);
    this.addListed(game, state);
  }

  /** `add` for the position for which `list` was called last. */
  addListed<State>(game: Game<State>, state: State): void {
    const from = this.start[this.size]!;
    const count = this.legalCount;
    if (this.contents.readsInputs) this.addInputs(game, state, count);
    if (this.contents.readsStates === true) this.states[this.size] = game.clone(state);
    this.keys[this.size] = game.observationHash(state);
    this.size += 1;
    this.start[this.size] = from + count;
  }

  /** The value of the evaluated position `index`, in [-1, 1] to the player to move. */
  valueOf(index: number): number {
    return this.outcomes[3 * index]! - this.outcomes[3 * index + 2]!;
  }

  /** Assigns the same prior to all legal actions of position `index`. */
  fillPriors(index: number): void {
    const from = this.start[index]!;
    const to = this.start[index + 1]!;
    this.priors.fill(1 / (to - from), from, to);
  }

  private addInputs<State>(game: Game<State>, state: State, count: number): void {
    const player = game.currentPlayer(state);
    const from = this.start[this.size]!;
    for (let i = 0; i < count; i++) {
      this.policyIndices[from + i] = game.policyIndex(player, this.legalActions[i]!);
    }
    this.observedGame.observe(
      state,
      this.observations,
      (this.size * this.observations.length) / this.capacity,
    );
  }
}

/** Evaluates positions: a prior for each legal action, and probabilities of the results. */
export interface Evaluator extends BatchContents {
  /** Its part of an agent's name. */
  readonly name: string;
  /** Fills `priors` and `outcomes` of all positions in the batch. */
  evaluate(batch: EvaluationBatch): Promise<void>;
  /** Frees its network, if it has one; it must not be used afterwards. */
  dispose(): Promise<void>;
}
