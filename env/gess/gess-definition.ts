import type { GameDefinition } from '../definition/game-definition.js';
import { createGess } from './gess.js';
import type { GessPosition } from './gess-position.js';
import { GessEvaluation } from './heuristics/gess-evaluation.js';
import { NAMED_GESS_WEIGHTS } from './heuristics/gess-weights.js';

const INTRODUCTION = [
  'Gess is played with stones on a Go board. Black moves first.',
  '',
  'A piece is any 3 x 3 square with stones of your colour and none of your',
  "opponent's. It is named by its centre: c7 is the stone on c7 and whatever",
  'stands around it. The pieces are not fixed: every move makes new ones.',
  '',
  'A stone on the rim of the 3 x 3 lets the piece move in that direction. With',
  'a stone in the centre it goes any distance, without one at most 3 squares.',
  '',
  'All nine squares move together. The piece stops where it first touches',
  'another stone, of either colour, and captures every stone it then covers.',
  'Stones that are pushed over the edge are lost.',
  '',
  'A ring is eight stones around an empty square; yours is on l3 or l18 at the',
  'start. Break all rings of your opponent to win; whoever has none loses.',
  '',
  'f6-f7 moves the piece around f6 one square up the board.',
] as const;

/** Gess. Its evaluations differ in their weights: fitted to games, or guessed. */
export const gessDefinition: GameDefinition<GessPosition> = {
  id: 'gess',
  create: createGess,
  environments: { 'gess/Gess-v0': { rules: 'default' }, 'gess/Gach-v0': { rules: 'gach' } },
  evaluations: {
    fitted: (rules) => new GessEvaluation(rules, NAMED_GESS_WEIGHTS.fitted),
    guessed: (rules) => new GessEvaluation(rules, NAMED_GESS_WEIGHTS.guessed),
  },
  introduction: INTRODUCTION,
};
