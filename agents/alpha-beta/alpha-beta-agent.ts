import type { Evaluation } from '../../env/definition/evaluation.js';
import type { Game } from '../../env/game.js';
import type { Choice } from '../agent.js';
import { type ImmediateAgent, immediateAgent } from '../immediate/immediate-agent.js';
import type { AlphaBetaLimits, AlphaBetaResult } from './alpha-beta-options.js';
import { AlphaBetaSearch } from './alpha-beta-search.js';
import { isProven, pliesToEnd, toUnitValue } from './search-values.js';

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

/** Settings of an agent that plays by alpha-beta search. */
export interface AlphaBetaAgentOptions<State> {
  /** Its text, such as `alphabeta:depth=3`. */
  readonly name: string;
  readonly limits: AlphaBetaLimits;
  readonly evaluation: Evaluation<State>;
  /** `AlphaBetaOptions.remembers` */
  readonly remembers: boolean;
}

/** Plays by alpha-beta search: the baseline with a hand-written evaluation, or the player with a pattern network. */
export function createAlphaBetaAgent<State>(
  game: Game<State>,
  { name, limits, evaluation, remembers }: AlphaBetaAgentOptions<State>,
): ImmediateAgent<State> {
  const search = new AlphaBetaSearch(game, evaluation, { remembers });
  let current: State | undefined;
  return immediateAgent(game, name, ({ state }) => {
    // What it remembers is of one game; each has a state of its own.
    if (state !== current) search.forget();
    current = state;
    return toChoice(search.search(state, limits), evaluation.scale);
  });
}
