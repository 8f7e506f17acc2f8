import type { Game } from '../../env/game.js';
import type { Choice, ImmediateAgent, Turn } from '../agent.js';
import type { Evaluation } from '../../env/definition/evaluation.js';
import type { AlphaBetaLimits, AlphaBetaResult } from './alpha-beta-options.js';
import { AlphaBetaSearch } from './alpha-beta-search.js';
import { isProven, pliesToEnd } from './search-values.js';

/** What `value` in units of an evaluation says in [-1, 1]: 0.5 at the evaluation's scale. */
function toUnitValue(value: number, scale: number): number {
  if (isProven(value)) return Math.sign(value);
  return Math.tanh((value / scale) * Math.atanh(0.5));
}

function toChoice(
  { action, value, depth, nodes, principalVariation }: AlphaBetaResult,
  scale: number,
): Choice {
  const judgement = isProven(value) ? { pliesToEnd: pliesToEnd(value) } : { evaluation: value };
  return {
    action,
    value: toUnitValue(value, scale),
    principalVariation,
    statistics: { depth, nodes, ...judgement },
  };
}

/** What an agent is made from. */
export interface AlphaBetaAgentOptions<State> {
  /** Its text, such as `alphabeta:depth=3`. */
  readonly name: string;
  readonly limits: AlphaBetaLimits;
  readonly evaluation: Evaluation<State>;
}

/** The baseline: a search with a hand-written evaluation. */
export class AlphaBetaAgent<State> implements ImmediateAgent<State> {
  readonly name: string;
  readonly game: Game<State>;
  private readonly evaluation: Evaluation<State>;
  private readonly search: AlphaBetaSearch<State>;
  private readonly limits: AlphaBetaLimits;

  constructor(game: Game<State>, { name, limits, evaluation }: AlphaBetaAgentOptions<State>) {
    this.name = name;
    this.game = game;
    this.limits = limits;
    this.evaluation = evaluation;
    this.search = new AlphaBetaSearch(game, evaluation);
  }

  choose({ state }: Turn<State>): Choice {
    return toChoice(this.search.search(state, this.limits), this.evaluation.scale);
  }

  chooseAll(turns: readonly Turn<State>[]): Promise<readonly Choice[]> {
    return Promise.resolve(turns.map((turn) => this.choose(turn)));
  }

  dispose(): Promise<void> {
    return Promise.resolve();
  }
}
