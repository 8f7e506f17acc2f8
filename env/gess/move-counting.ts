import { addFields, fieldSums } from '../bit-counting.js';
import { SIZE } from './gess-board.js';
import type { MoveMasks } from './movement.js';

/**
 * Counts moves without listing them: whole rows of pieces slide together, one row a step.
 *
 * This rests on a fact (docs/reference/rules.md, 5.2): no two pieces that go in the same direction can end on the same
 * square. Let A be ahead of B on their line. A has a stone next to its centre in this direction. For B to
 * pass A's centre its footprint must cover that stone at A's centre, where B stops; and A itself never ends
 * there. So one mask holds all squares reached in a row, and each of its bits is one move.
 */

/**
 * Upper bound of the number of legal moves, as no two moves in one direction end on the same square. A move
 * up ends on rows 1..19 and, its stone ahead being on the board, on columns 1..18; a move to the upper right
 * on rows and columns 1..19. (The starting position has 478.)
 */
export const MAX_LEGAL_ACTIONS = 4 * (SIZE - 1) * (SIZE - 2) + 4 * (SIZE - 1) * (SIZE - 1);

/** Counts moves straight and diagonally up (`step` 1) or down (-1) the board. */
function countSweep(masks: MoveMasks, own: Int32Array, ends: Int32Array, step: number): number {
  const { pieces, rows, columns } = masks;
  // Ends of moves into the row, by direction; then those of pieces without a centre stone after one, two and
  // three steps, their last.
  let straight = 0;
  let left = 0;
  let right = 0;
  let straight1 = 0;
  let straight2 = 0;
  let straight3 = 0;
  let left1 = 0;
  let left2 = 0;
  let left3 = 0;
  let right1 = 0;
  let right2 = 0;
  let right3 = 0;
  let count = 0;
  let fields = 0;
  let index = step > 0 ? 1 : SIZE;
  let ownHere = own[index]!;
  for (let i = 1; i < SIZE; i++) {
    const piecesHere = pieces[index]!;
    const columnsHere = columns[index]!;
    index += step;
    const ownAhead = own[index]!;
    const end = ends[index]!;
    const open = ~rows[index]!;
    const openLeft = open & ~(columnsHere << 1);
    const openRight = open & ~(columnsHere >> 1);

    const fromStraight = piecesHere & ownAhead;
    straight = ((straight & ~straight3 & open) | fromStraight) & end;
    straight3 = straight2 & open;
    straight2 = straight1 & open;
    straight1 = fromStraight & ~ownHere;

    const fromLeft = piecesHere & (ownAhead << 1);
    left = (((left & ~left3 & openLeft) | fromLeft) >> 1) & end;
    left3 = (left2 & openLeft) >> 1;
    left2 = (left1 & openLeft) >> 1;
    left1 = (fromLeft & ~ownHere) >> 1;

    const fromRight = piecesHere & (ownAhead >> 1);
    right = (((right & ~right3 & openRight) | fromRight) << 1) & end;
    right3 = (right2 & openRight) << 1;
    right2 = (right1 & openRight) << 1;
    right1 = (fromRight & ~ownHere) << 1;

    fields += fieldSums(straight, left, right);
    ownHere = ownAhead;
    // A field of eight bits holds the sum of at most ten rows, each at most 24.
    if (i === SIZE / 2) count = addFields(fields);
    if (i === SIZE / 2) fields = 0;
  }
  return count + addFields(fields);
}

/** Counts moves to the left and to the right. */
function countSideways(masks: MoveMasks, own: Int32Array, ends: Int32Array): number {
  let count = 0;
  for (let index = 1; index <= SIZE; index++) {
    const pieces = masks.pieces[index]!;
    if (pieces === 0) continue;
    const ownHere = own[index]!;
    const end = ends[index]!;
    const open = ~masks.columns[index]! & end;

    const fromRight = pieces & (ownHere >> 1);
    const right1 = (fromRight << 1) & end;
    const right2 = (right1 << 1) & open;
    const right3 = (right2 << 1) & open;
    // Adding a bit to the lowest of a run of ones carries through the run, as far as the piece slides.
    const slideRight = ((fromRight & ownHere) << 2) & open;
    const right = right1 | right2 | right3 | (((open + slideRight) ^ open) & open);

    const fromLeft = pieces & (ownHere << 1);
    const left1 = (fromLeft >> 1) & end;
    const left2 = (left1 >> 1) & open;
    const left3 = (left2 >> 1) & open;
    // Carries only go up, so this direction fills in doubling strides (Kogge and Stone 1973).
    let slideLeft = ((fromLeft & ownHere) >> 2) & open;
    let run = open;
    slideLeft |= (slideLeft >> 1) & run;
    run &= run >> 1;
    slideLeft |= (slideLeft >> 2) & run;
    run &= run >> 2;
    slideLeft |= (slideLeft >> 4) & run;
    run &= run >> 4;
    slideLeft |= (slideLeft >> 8) & run;
    run &= run >> 8;
    slideLeft |= (slideLeft >> 16) & run;

    count += addFields(fieldSums(right, left1 | left2 | left3 | slideLeft, 0));
  }
  return count;
}

/**
 * The number of moves of `own`, including those that break its last ring. `masks` must be prepared; `ends`
 * are the squares where moves may end.
 */
export function countMoves(masks: MoveMasks, own: Int32Array, ends: Int32Array): number {
  return countSweep(masks, own, ends, 1) + countSweep(masks, own, ends, -1) + countSideways(masks, own, ends);
}
