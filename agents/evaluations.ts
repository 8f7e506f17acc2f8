import type { Game } from '../env/game.js';
import { connectFourEvaluation } from './connect-four-evaluation.js';
import type { Evaluation } from './evaluation.js';
import { GessEvaluation } from './gess-evaluation.js';
import { quessEvaluation } from './quess-evaluation.js';

/** For a game that nobody has written an evaluation for: every position is even. */
const neutralEvaluation: Evaluation<unknown> = { evaluate: () => 0, promise: () => 0, scale: 1 };

/** What makes the evaluation of each game from the text of its rules, by its id. */
const EVALUATIONS: Readonly<Record<string, (rules: string) => Evaluation<never>>> = {
  gess: (rules) => new GessEvaluation(rules),
  quess: () => quessEvaluation,
  'connect-four': () => connectFourEvaluation,
};

/** The evaluation of a game's positions. One is for one user at a time: it may keep notes between calls. */
export function evaluationOf<State>(game: Game<State>): Evaluation<State> {
  return EVALUATIONS[game.id]?.(game.rules) ?? neutralEvaluation;
}
