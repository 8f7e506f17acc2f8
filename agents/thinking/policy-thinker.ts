import type { Game } from '../../env/game.js';
import type { PolicyAgent } from '../policy-agent.js';
import type { Thinker, ThinkingOptions, Thought } from './thinking.js';

/** Answers by the network alone: the candidates are the moves with the greatest priors; only the first has a value. */
export class PolicyThinker<State> implements Thinker<State> {
  readonly name: string;
  readonly game: Game<State>;
  readonly limits = {};
  private readonly agent: PolicyAgent<State>;

  /** @param agent owned by the thinker from now on, which disposes of it. */
  constructor(agent: PolicyAgent<State>) {
    this.name = agent.name;
    this.game = agent.game;
    this.agent = agent;
  }

  newGame(): void {
    // A position is judged for itself.
  }

  async think(state: State, { lines = 1, withPolicy = false }: ThinkingOptions): Promise<Thought> {
    const { value, priors } = await this.agent.judge(state);
    // Stable: as the agent, it plays the first of equal moves.
    const best = priors.toSorted((one, other) => other.prior - one.prior).slice(0, lines);
    const candidates = best.map(({ action, prior }, index) => ({
      action,
      // The network judges the position: its value is that of the move which it would play.
      value: index === 0 ? value : undefined,
      prior,
      principalVariation: [action],
    }));
    return withPolicy ? { candidates, policy: priors } : { candidates };
  }

  async dispose(): Promise<void> {
    await this.agent.dispose();
  }
}
