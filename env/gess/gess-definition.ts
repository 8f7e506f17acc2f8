import type { GameDefinition } from '../definition/game-definition.js';
import { createGess } from './gess.js';
import type { GessPosition } from './gess-position.js';
import { GessEvaluation } from './heuristics/gess-evaluation.js';
import { NAMED_GESS_WEIGHTS } from './heuristics/gess-weights.js';

/** Gess. Its evaluations differ in their weights: fitted to games, or guessed. */
export const gessDefinition: GameDefinition<GessPosition> = {
  id: 'gess',
  create: createGess,
  environments: { 'gess/Gess-v0': { rules: 'default' }, 'gess/Gach-v0': { rules: 'gach' } },
  evaluations: {
    fitted: (rules) => new GessEvaluation(rules, NAMED_GESS_WEIGHTS.fitted),
    guessed: (rules) => new GessEvaluation(rules, NAMED_GESS_WEIGHTS.guessed),
  },
};
