import { type Game, type Outcome, outcomeTo } from '../../env/game.js';
import { createRng, type Rng } from '../../env/random.js';
import type { EvaluationBatch, Evaluator } from './evaluator.js';

/** Seed of all random games. */
const SEED = 1;

/**
 * Evaluates positions by uniformly random games to their end, with the same prior for all legal actions. An evaluation
 * depends on the position alone, whose key seeds the games. A game that reaches the ply limit counts as a draw.
 */
export class RolloutEvaluator<State> implements Evaluator {
  readonly name = 'rollout';
  readonly readsInputs = false;
  readonly readsStates = true;
  private readonly game: Game<State>;
  private readonly rollouts: number;
  /** `[L]` scratch. */
  private readonly actions: Int32Array;

  /** @param rollouts random games per position. */
  constructor(game: Game<State>, rollouts: number) {
    this.game = game;
    this.rollouts = rollouts;
    this.actions = new Int32Array(game.maxLegalActions);
  }

  evaluate(batch: EvaluationBatch): Promise<void> {
    for (let index = 0; index < batch.size; index++) {
      batch.fillPriors(index);
      batch.outcomes.fill(0, 3 * index, 3 * index + 3);
      const state = batch.states[index] as State;
      const player = this.game.currentPlayer(state);
      const rng = createRng(SEED, 'rollout', batch.keys[index]!);
      for (let rollout = 0; rollout < this.rollouts; rollout++) {
        const outcome = this.playOut(state, rng);
        // Win, draw and loss, in this order, to the player to move.
        const place = outcome === null ? 1 : 1 - outcomeTo(player, outcome);
        batch.outcomes[3 * index + place]! += 1 / this.rollouts;
      }
    }
    return Promise.resolve();
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  /** Plays one game to its end and undoes it. Returns the result to player 0; null at the ply limit. */
  private playOut(state: State, rng: Rng): Outcome | null {
    const { game, actions } = this;
    let plies = 0;
    let outcome = game.outcome(state);
    while (outcome === null && game.ply(state) < game.plyLimit) {
      game.apply(state, actions[rng.integer(game.legalActions(state, actions))]!);
      plies += 1;
      outcome = game.outcome(state);
    }
    while (plies-- > 0) game.undo(state);
    return outcome;
  }
}
