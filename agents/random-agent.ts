import type { Game } from '../env/game.js';
import type { Choice, ImmediateAgent, Turn } from './agent.js';

/** Plays any legal action, all with equal probability. */
export class RandomAgent<State> implements ImmediateAgent<State> {
  readonly name = 'random';
  readonly game: Game<State>;
  private readonly legal: Int32Array;

  constructor(game: Game<State>) {
    this.game = game;
    this.legal = new Int32Array(game.maxLegalActions);
  }

  choose({ state, rng }: Turn<State>): Choice {
    const count = this.game.legalActions(state, this.legal);
    return { action: this.legal[rng.integer(count)]! };
  }

  chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    return Promise.resolve(turns.map((turn) => this.choose(turn)));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
