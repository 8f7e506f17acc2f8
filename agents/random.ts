import type { Game } from '../env/game.js';
import type { Agent, Choice, Turn } from './agent.js';

/** Plays any legal action, all with equal probability. */
export class RandomAgent<State> implements Agent<State> {
  readonly name = 'random';
  readonly game: Game<State>;

  constructor(game: Game<State>) {
    this.game = game;
  }

  chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    const legal = new Int32Array(this.game.maxLegalActions);
    const choices = turns.map(({ state, rng }) => {
      const count = this.game.legalActions(state, legal);
      return { action: legal[rng.integer(count)]! };
    });
    return Promise.resolve(choices);
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
