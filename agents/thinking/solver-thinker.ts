import type { ConnectFourState } from '../../env/connect-four/connect-four-position.js';
import type { Game } from '../../env/game.js';
import { ConnectFourSolver, SOLVER_STOPPED } from '../connect-four-solver.js';
import type { Thinker, ThinkingOptions, Thought } from './thinking.js';

/** Solves positions of Connect Four; a solution that is stopped early is some legal move without a value. */
export class SolverThinker<State> implements Thinker<State> {
  readonly name = 'solver';
  readonly game: Game<State>;
  readonly limits = {};
  private readonly solver = new ConnectFourSolver();

  /** @param game Connect Four. */
  constructor(game: Game<State>) {
    this.game = game;
  }

  newGame(): void {
    // Solutions hold in every game: there is nothing to forget.
  }

  think(state: State, { limits, shouldStop }: ThinkingOptions): Promise<Thought> {
    const deadline = performance.now() + (limits.timeMs ?? Infinity);
    const mustStop = (): boolean => shouldStop() || performance.now() >= deadline;
    try {
      const { action, value, nodes } = this.solver.solve(state as ConnectFourState, mustStop);
      return Promise.resolve({ candidates: [{ action, value, principalVariation: [action] }], nodes });
    } catch (error) {
      if (error !== SOLVER_STOPPED) throw error;
      return Promise.resolve({ candidates: [this.anyMove(state)] });
    }
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }

  /** The middle one of the legal moves. */
  private anyMove(state: State): Thought['candidates'][number] {
    const legal = new Int32Array(this.game.maxLegalActions);
    const action = legal[this.game.legalActions(state, legal) >> 1]!;
    return { action, principalVariation: [action] };
  }
}
