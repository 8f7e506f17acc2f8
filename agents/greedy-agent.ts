import type { Action, Game } from '../env/game.js';
import type { Rng } from '../env/random.js';
import type { Choice, ImmediateAgent, Turn } from './agent.js';
import { MAX_EVALUATION, type Evaluation } from '../env/definition/evaluation.js';
import { createEvaluation } from '../env/games.js';

/** What the position is worth to the player who made the last move, `sign` 1 for player 0 and -1 for 1. */
function valueAfterMove<State>(
  game: Game<State>,
  evaluation: Evaluation<State>,
  state: State,
  sign: number,
): number {
  const outcome = game.outcome(state);
  return outcome === null ? -evaluation.evaluate(state) : sign * outcome * MAX_EVALUATION;
}

/** The action after which the position is worth most; among equals a uniform draw. */
function drawGreedyAction<State>(
  agent: GreedyAgent<State>,
  state: State,
  actions: Int32Array,
  rng: Rng,
): Action {
  const { game, evaluation } = agent;
  const count = game.legalActions(state, actions);
  const sign = game.currentPlayer(state) === 0 ? 1 : -1;
  let best = -Infinity;
  let ties = 0;
  for (let i = 0; i < count; i++) {
    const action = actions[i]!;
    game.apply(state, action);
    const value = valueAfterMove(game, evaluation, state, sign);
    game.undo(state);
    if (value > best) {
      best = value;
      ties = 0;
    }
    // The best so far are kept at the front of the buffer, which has been read that far.
    if (value === best) actions[ties++] = action;
  }
  return actions[rng.integer(ties)]!;
}

/**
 * Takes a win, avoids a move that loses at once, else makes the move with the best hand-written evaluation
 * after it.
 */
export class GreedyAgent<State> implements ImmediateAgent<State> {
  readonly name = 'greedy';
  readonly game: Game<State>;
  readonly evaluation: Evaluation<State>;
  private readonly actions: Int32Array;

  constructor(game: Game<State>) {
    this.game = game;
    this.evaluation = createEvaluation(game);
    this.actions = new Int32Array(game.maxLegalActions);
  }

  choose({ state, rng }: Turn<State>): Choice {
    return { action: drawGreedyAction(this, state, this.actions, rng) };
  }

  chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    return Promise.resolve(turns.map((turn) => this.choose(turn)));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
