import type { Game } from '../../env/game.js';
import type { PolicyAgent } from '../policy-agent.js';
import type { Thinker, ThinkingOptions, Thought } from './thinking.js';

/** Answers by the network alone: the candidates are the moves with the greatest priors; only the first has a value. */
export class PolicyThinker<State> implements Thinker<State> {
  readonly name: string;
  readonly game: Game<State>;
  readonly limits = {};
  private readonly agent: PolicyAgent<State>;

  /** @param agent owned by the thinker, which disposes of it. */
  constructor(agent: PolicyAgent<State>) {
    this.name = agent.name;
    this.game = agent.game;
    this.agent = agent;
  }

  newGame(): void {
    // Each position is judged independently: there is nothing to forget.
  }

  async think(state: State, { lines = 1, withPolicy = false }: ThinkingOptions): Promise<Thought> {
    const { value, priors } = await this.agent.judge(state);
    // The sort is stable: like the agent, the thinker plays the first of equal moves.
    const best = priors.toSorted((one, other) => other.prior - one.prior).slice(0, lines);
    const candidates = best.map(({ action, prior }, index) => ({
      action,
      // The network judges the position: its value is that of the move that it would play.
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
