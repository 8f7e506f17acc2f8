import type { Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import type { Agent } from '../agent.js';
import type { Thinker, Thought } from './thinking.js';

/** Lets an agent that needs no search answer at once: it has one candidate, and nothing to stop. */
export class ChoosingThinker<State> implements Thinker<State> {
  readonly name: string;
  readonly game: Game<State>;
  readonly limits = {};
  private readonly agent: Agent<State>;
  private rng: Rng | undefined;

  /** @param agent owned by the thinker, which disposes of it. */
  constructor(agent: Agent<State>) {
    this.name = agent.name;
    this.game = agent.game;
    this.agent = agent;
  }

  newGame(rng: Rng): void {
    this.rng = rng;
  }

  async think(state: State): Promise<Thought> {
    const [choice] = await this.agent.chooseAll([{ state, rng: this.rng! }]);
    const { action, value, principalVariation = [action] } = choice!;
    return { candidates: [{ action, value, principalVariation }] };
  }

  async dispose(): Promise<void> {
    await this.agent.dispose();
  }
}
