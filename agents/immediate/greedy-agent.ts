import { type Evaluation, MAX_EVALUATION } from '../../env/definition/evaluation.js';
import { type Game, outcomeTo, type Player } from '../../env/game.js';
import { createEvaluation } from '../../env/games.js';
import { type ImmediateAgent, immediateAgent } from './immediate-agent.js';

/** The value of the position after a move, to `player`, who made it. */
function valueAfterMove<State>(
  game: Game<State>,
  evaluation: Evaluation<State>,
  state: State,
  player: Player,
): number {
  const outcome = game.outcome(state);
  return outcome === null ? -evaluation.evaluate(state) : outcomeTo(player, outcome) * MAX_EVALUATION;
}

/** Moves the actions after which the position is worth most to the front of `actions`; returns their number. */
function listBest<State>(
  game: Game<State>,
  evaluation: Evaluation<State>,
  state: State,
  actions: Int32Array,
): number {
  const count = game.legalActions(state, actions);
  const player = game.currentPlayer(state);
  let best = -Infinity;
  let ties = 0;
  for (let i = 0; i < count; i++) {
    const action = actions[i]!;
    game.apply(state, action);
    const value = valueAfterMove(game, evaluation, state, player);
    game.undo(state);
    if (value > best) {
      best = value;
      ties = 0;
    }
    // Overwrites actions that have been tried.
    if (value === best) actions[ties++] = action;
  }
  return ties;
}

/**
 * Takes a win and avoids a move that loses immediately; otherwise plays the move with the best hand-written evaluation
 * after it, choosing uniformly among equals.
 */
export function createGreedyAgent<State>(game: Game<State>): ImmediateAgent<State> {
  const evaluation = createEvaluation(game);
  const actions = new Int32Array(game.maxLegalActions);
  return immediateAgent(game, 'greedy', ({ state, rng }) => {
    const ties = listBest(game, evaluation, state, actions);
    return { action: actions[rng.integer(ties)]! };
  });
}
