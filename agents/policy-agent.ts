import type { Action, Game } from '../env/game.js';
import type { Agent, Choice, Turn } from './agent.js';
import { AGENT_BATCH_CAPACITY, EvaluationBatch, type Evaluator } from './evaluators/evaluator.js';

/** A network's policy and value for a position. */
export interface PolicyJudgement {
  /** In [-1, 1] to the player to move. */
  readonly value: number;
  /** Of the legal actions, in their order. */
  readonly priors: readonly { readonly action: Action; readonly prior: number }[];
}

/** Plays the action with the greatest prior, without search; ties go to the first. */
export class PolicyAgent<State> implements Agent<State> {
  readonly name: string;
  readonly game: Game<State>;
  private readonly evaluator: Evaluator;
  private readonly batch: EvaluationBatch;
  private readonly legal: Int32Array;

  /**
   * @param evaluator owned by the agent, which disposes of it.
   * @param name its text.
   */
  constructor(game: Game<State>, evaluator: Evaluator, name: string) {
    this.name = name;
    this.game = game;
    this.evaluator = evaluator;
    this.batch = new EvaluationBatch(game, AGENT_BATCH_CAPACITY, evaluator);
    this.legal = new Int32Array(game.maxLegalActions);
  }

  /** @throws errors of the evaluator. */
  async chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    const choices: Choice[] = [];
    for (let first = 0; first < turns.length; first += AGENT_BATCH_CAPACITY) {
      const some = turns.slice(first, first + AGENT_BATCH_CAPACITY);
      this.batch.clear();
      for (const { state } of some) this.batch.add(this.game, state);
      await this.evaluator.evaluate(this.batch);
      choices.push(...some.map(({ state }, index) => this.choiceOf(state, index)));
    }
    return choices;
  }

  /** Judges one position. @throws errors of the evaluator. */
  async judge(state: State): Promise<PolicyJudgement> {
    this.batch.clear();
    this.batch.add(this.game, state);
    await this.evaluator.evaluate(this.batch);
    const { legalActions, legalCount, priors } = this.batch;
    return {
      value: this.batch.valueOf(0),
      priors: Array.from({ length: legalCount }, (_, i) => ({ action: legalActions[i]!, prior: priors[i]! })),
    };
  }

  async dispose(): Promise<void> {
    await this.evaluator.dispose();
  }

  private choiceOf(state: State, index: number): Choice {
    const { start, priors } = this.batch;
    this.game.legalActions(state, this.legal);
    const own = priors.subarray(start[index], start[index + 1]);
    const prior = Math.max(...own);
    const action = this.legal[own.indexOf(prior)]!;
    return { action, value: this.batch.valueOf(index), principalVariation: [action], statistics: { prior } };
  }
}
