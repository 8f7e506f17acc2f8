import type { GameDefinition } from '../definition/game-definition.js';
import { createQuess } from './quess.js';
import { quessEvaluation } from './quess-evaluation.js';
import type { QuessPosition } from './quess-position.js';

/** Quess. */
export const quessDefinition: GameDefinition<QuessPosition> = {
  id: 'quess',
  create: createQuess,
  environments: { 'gess/Quess-v0': { rules: 'default' } },
  evaluations: { default: () => quessEvaluation },
};
