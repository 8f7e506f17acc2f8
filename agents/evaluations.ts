import type { Game } from '../env/game.js';
import { connectFourEvaluation } from './connect-four-evaluation.js';
import type { Evaluation } from './evaluation.js';
import { gessEvaluation } from './gess-evaluation.js';
import { quessEvaluation } from './quess-evaluation.js';

/** For a game that nobody has written an evaluation for: every position is even. */
const neutralEvaluation: Evaluation<unknown> = { evaluate: () => 0, promise: () => 0, scale: 1 };

const EVALUATIONS: Readonly<Record<string, Evaluation<never>>> = {
  gess: gessEvaluation,
  quess: quessEvaluation,
  'connect-four': connectFourEvaluation,
};

/** The evaluation of a game's positions. */
export function evaluationOf<State>(game: Game<State>): Evaluation<State> {
  return EVALUATIONS[game.id] ?? neutralEvaluation;
}
