import { connectFour } from '../../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../../env/connect-four/connect-four-position.js';
import type { Game } from '../../env/game.js';
import { AgentError } from '../agent-error.js';
import { ConnectFourSolver } from '../connect-four-solver.js';
import { type ImmediateAgent, immediateAgent } from './immediate-agent.js';

/** @throws AgentError `agent-game` if the solver cannot play a game. */
export function expectSolvable<State>(game: Game<State>): void {
  if (game.id === connectFour.id) return;
  throw new AgentError('agent-game', `expected game ${connectFour.id} for agent 'solver', got '${game.id}'`);
}

/**
 * Plays Connect Four perfectly; its first moves take minutes.
 *
 * @throws AgentError `agent-game` for another game.
 */
export function createSolverAgent<State>(game: Game<State>): ImmediateAgent<State> {
  expectSolvable(game);
  const solver = new ConnectFourSolver();
  return immediateAgent(game, 'solver', ({ state }) => {
    const { action, value, nodes } = solver.solve(state as ConnectFourState);
    return { action, value, statistics: { nodes } };
  });
}
