import { connectFour } from '../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../env/connect-four/connect-four-position.js';
import type { Game } from '../env/game.js';
import type { Choice, ImmediateAgent, Turn } from './agent.js';
import { ConnectFourSolver } from './connect-four-solver.js';
import { AgentError } from './agent-error.js';

/** Plays Connect Four without a mistake; from the first move on, that takes minutes of thought. */
export class SolverAgent<State> implements ImmediateAgent<State> {
  readonly name = 'solver';
  readonly game: Game<State>;
  private readonly solver = new ConnectFourSolver();

  /** Throws `AgentError` `agent-game` for another game. */
  constructor(game: Game<State>) {
    if (game.id !== connectFour.id) {
      throw new AgentError(
        'agent-game',
        `expected game ${connectFour.id} for agent 'solver', got '${game.id}'`,
      );
    }
    this.game = game;
  }

  choose({ state }: Turn<State>): Choice {
    const { action, value, nodes } = this.solver.solve(state as ConnectFourState);
    return { action, value, statistics: { nodes } };
  }

  chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    return Promise.resolve(turns.map((turn) => this.choose(turn)));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
