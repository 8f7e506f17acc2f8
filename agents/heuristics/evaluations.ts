import type { Game } from '../../env/game.js';
import { connectFourEvaluation } from './connect-four-evaluation.js';
import type { Evaluation } from './evaluation.js';
import { GessEvaluation } from './gess-evaluation.js';
import { GESS_WEIGHTS, GUESSED_GESS_WEIGHTS } from './gess-weights.js';
import { quessEvaluation } from './quess-evaluation.js';

/** For a game that nobody has written an evaluation for: every position is even. */
const neutralEvaluation: Evaluation<unknown> = { evaluate: () => 0, promise: () => 0, scale: 1 };

/** Weights of the evaluation of Gess, by name: fitted to games, or guessed, as they were before. */
export const NAMED_GESS_WEIGHTS = { fitted: GESS_WEIGHTS, guessed: GUESSED_GESS_WEIGHTS } as const;

/** Names one of them. */
export type WeightsName = keyof typeof NAMED_GESS_WEIGHTS;

/** What makes the evaluation of each game from the text of its rules, by its id. */
const EVALUATIONS: Readonly<Record<string, (rules: string) => Evaluation<never>>> = {
  gess: (rules) => new GessEvaluation(rules),
  quess: () => quessEvaluation,
  'connect-four': () => connectFourEvaluation,
};

/** The evaluation of positions of Gess by its rules, with weights other than the usual ones. */
export function gessEvaluationWith<State>(rules: string, weights: WeightsName): Evaluation<State> {
  // `State` is the state of Gess: what an evaluation is of cannot be told from the text of rules.
  return new GessEvaluation(rules, NAMED_GESS_WEIGHTS[weights]) as Evaluation<unknown>;
}

/** The evaluation of a game's positions. One is for one user at a time: it may keep notes between calls. */
export function evaluationOf<State>(game: Game<State>): Evaluation<State> {
  return EVALUATIONS[game.id]?.(game.rules) ?? neutralEvaluation;
}
