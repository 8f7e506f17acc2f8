import type { GameDefinition } from '../definition/game-definition.js';
import { createQuess } from './quess.js';
import { quessEvaluation } from './quess-evaluation.js';
import type { QuessPosition } from './quess-position.js';

const INTRODUCTION = [
  'Quess is played on 6 x 6 squares. Light moves first. Each side has one square,',
  'two circles and three triangles, and its six coloured squares: its zone.',
  '',
  'A triangle moves one square up, down, left or right. A circle hops like a',
  'knight in chess. A square moves like a rook, as far as it likes.',
  '',
  'A piece captures by moving onto an enemy piece of another shape; no piece',
  'takes one of its own shape. No move may bring back an earlier board.',
  '',
  "Get two pieces into your opponent's zone to win, or leave your opponent",
  'without a move. One piece against one is a draw.',
  '',
  'F2-D3 moves the piece on F2 to D3.',
] as const;

/** Quess. */
export const quessDefinition: GameDefinition<QuessPosition> = {
  id: 'quess',
  create: createQuess,
  environments: { 'gess/Quess-v0': { rules: 'default' } },
  evaluations: { default: () => quessEvaluation },
  introduction: INTRODUCTION,
};
