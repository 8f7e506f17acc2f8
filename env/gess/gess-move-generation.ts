import { type Action, opponentOf, type Player } from '../game.js';
import {
  COLUMN_STEPS,
  DIRECTION_NAMES,
  directionOf,
  distanceOf,
  MAX_DISTANCE,
  NUM_ACTIONS,
  NUM_DIRECTIONS,
  PADDED_ROWS,
  rayOf,
  ROW_STEPS,
  rowOf,
  SHORT_DISTANCE,
  SIZE,
  startSquare,
} from './gess-board.js';
import { findRestoredBoard, mayRestoreBoard, NO_BOARD } from './ko.js';
import { countMoves } from './move-counting.js';
import type { Movement } from './movement.js';
import { coverSquares, createMasks, prepareMasks } from './movement.js';
import { applyMove, undoMove } from './gess-moves.js';
import type { GessPosition } from './gess-position.js';
import type { GessRules } from './gess-rules.js';
import { NO_RING } from './rings.js';

/** Scratch of each call; kept to avoid allocation. */
const masks = createMasks();
/** `[22]` the same. */
const covered = new Int32Array(PADDED_ROWS);

/** `[8]` 1 for directions that go up or down, else 0; `GOES_SIDEWAYS`: the same for left or right. */
const GOES_UP_OR_DOWN = ROW_STEPS.map((step) => Math.abs(step));
const GOES_SIDEWAYS = COLUMN_STEPS.map((step) => Math.abs(step));

/**
 * The greatest distance that the piece at (`index`, `column`) can go (docs/reference/rules.md, 2.2, 2.3), at most
 * `limit`. Requires prepared `masks`, a stone of the piece in this direction and room for `limit` steps.
 */
function reach(index: number, column: number, direction: number, limit: number): number {
  const { rows, columns } = masks;
  const rowStep = ROW_STEPS[direction]!;
  const columnStep = COLUMN_STEPS[direction]!;
  const rowTest = GOES_UP_OR_DOWN[direction]!;
  const columnTest = GOES_SIDEWAYS[direction]!;
  let endIndex = index;
  let endColumn = column;
  for (let distance = 1; distance < limit; distance++) {
    endIndex += rowStep;
    endColumn += columnStep;
    const rowTaken = rowTest & (rows[endIndex + rowStep]! >> endColumn);
    const columnTaken = columnTest & (columns[endIndex]! >> (endColumn + columnStep));
    if ((rowTaken | columnTaken) !== 0) return distance;
  }
  return limit;
}

/** The stones of `own` around (`index`, `column`), bit `d` for direction `d`. */
function neighbours(own: Int32Array, index: number, column: number): number {
  const above = (own[index + 1]! << 1) >> column;
  const here = (own[index]! << 1) >> column;
  const below = (own[index - 1]! << 1) >> column;
  return (
    ((above >> 1) & 1) |
    ((above >> 1) & 2) |
    (here & 4) |
    ((below << 1) & 8) |
    ((below << 3) & 16) |
    ((below << 5) & 32) |
    ((here << 6) & 64) |
    ((above << 7) & 128)
  );
}

/** Lists all moves of a player, ascending, also those that break the player's last ring or that a ko rule bars. */
export function listMoves(
  position: GessPosition,
  player: Player,
  movement: Movement,
  out: Int32Array,
): number {
  const own = position.stones[player];
  const { room } = movement;
  prepareMasks(masks, movement, own, position.stones[opponentOf(player)]);
  let count = 0;
  for (let index = 1; index <= SIZE; index++) {
    for (let pieces = masks.pieces[index]!; pieces !== 0; pieces &= pieces - 1) {
      const column = 31 - Math.clz32(pieces & -pieces);
      const farthest = ((own[index]! >> column) & 1) !== 0 ? MAX_DISTANCE : SHORT_DISTANCE;
      const rays = ((index - 1) * SIZE + column) * NUM_DIRECTIONS;
      for (let left = neighbours(own, index, column); left !== 0; left &= left - 1) {
        const direction = 31 - Math.clz32(left & -left);
        const limit = Math.min(room[rays + direction]!, farthest);
        const end = count + reach(index, column, direction, limit);
        for (let action = (rays + direction) * MAX_DISTANCE; count < end; action++) out[count++] = action;
      }
    }
  }
  return count;
}

/**
 * Lists the moves of `listMoves` that end on a square of `targets`, `[22]` rows; only the longest of a piece in a
 * direction may. `masks` must be prepared.
 */
function listMovesTo(
  position: GessPosition,
  { room }: Movement,
  targets: Int32Array,
  out: Int32Array,
): number {
  const own = position.stones[position.player];
  let count = 0;
  for (let index = 1; index <= SIZE; index++) {
    for (let pieces = masks.pieces[index]!; pieces !== 0; pieces &= pieces - 1) {
      const column = 31 - Math.clz32(pieces & -pieces);
      const rays = ((index - 1) * SIZE + column) * NUM_DIRECTIONS;
      const farthest = ((own[index]! >> column) & 1) !== 0 ? MAX_DISTANCE : SHORT_DISTANCE;
      for (let left = neighbours(own, index, column); left !== 0; left &= left - 1) {
        const direction = 31 - Math.clz32(left & -left);
        const limit = Math.min(room[rays + direction]!, farthest);
        const distance = reach(index, column, direction, limit);
        const endIndex = index + distance * ROW_STEPS[direction]!;
        const endColumn = column + distance * COLUMN_STEPS[direction]!;
        if (((targets[endIndex]! >> endColumn) & 1) === 0 || distance === 0) continue;
        out[count++] = (rays + direction) * MAX_DISTANCE + distance - 1;
      }
    }
  }
  return count;
}

/** Whether a footprint centred on (`row`, `column`) overlaps that of the ring centred on `ring`. */
function meets(row: number, column: number, ring: number): boolean {
  const ringRow = rowOf(ring);
  return Math.abs(row - ringRow) <= 2 && Math.abs(column - (ring - ringRow * SIZE)) <= 2;
}

/** Whether the mover, who has a ring, still has one after `action`. `position` is unchanged afterwards. */
function keepsRing(position: GessPosition, action: Action): boolean {
  const player = position.player;
  const ring = position.rings[player]!;
  const distance = (action % MAX_DISTANCE) + 1;
  const ray = rayOf(action);
  const row = rowOf(ray >> 3);
  const column = (ray >> 3) - row * SIZE;
  const endRow = row + distance * ROW_STEPS[ray & 7]!;
  const endColumn = column + distance * COLUMN_STEPS[ray & 7]!;
  if (!meets(row, column, ring) && !meets(endRow, endColumn, ring)) return true;
  applyMove(position, action);
  const kept = position.rings[player] !== NO_RING;
  undoMove(position);
  return kept;
}

/** Drops moves that break the mover's last ring (docs/reference/rules.md, 2.8); returns the number left. */
function dropSuicides(position: GessPosition, out: Int32Array, count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (keepsRing(position, out[i]!)) out[kept++] = out[i]!;
  }
  return kept;
}

/** Drops moves that the ko rule bars (docs/reference/rules.md, 4.4); returns the number left. */
function dropBarred(position: GessPosition, ko: GessRules['ko'], out: Int32Array, count: number): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (findRestoredBoard(position, out[i]!, ko) === NO_BOARD) out[kept++] = out[i]!;
  }
  return kept;
}

/** Keeps those of `count` moves that suicide and ko rules allow; returns their number. */
function dropForbidden(position: GessPosition, movement: Movement, out: Int32Array, count: number): number {
  const { suicideIsIllegal, ko } = movement;
  const kept = suicideIsIllegal ? dropSuicides(position, out, count) : count;
  return mayRestoreBoard(position, ko) ? dropBarred(position, ko, out, kept) : kept;
}

/** Writes the legal moves, ascending, and returns their number. */
export function listLegalMoves(position: GessPosition, movement: Movement, out: Int32Array): number {
  if (position.outcome !== null) return 0;
  return dropForbidden(position, movement, out, listMoves(position, position.player, movement, out));
}

/**
 * Writes the legal moves whose footprint covers stones of the opponent's at the end, ascending; returns their
 * number.
 */
export function listLegalCaptures(position: GessPosition, movement: Movement, out: Int32Array): number {
  if (position.outcome !== null) return 0;
  const own = position.stones[position.player];
  const other = position.stones[opponentOf(position.player)];
  prepareMasks(masks, movement, own, other);
  coverSquares(covered, other);
  return dropForbidden(position, movement, out, listMovesTo(position, movement, covered, out));
}

/** The number of legal moves. May write to `out`. */
export function countLegalMoves(position: GessPosition, movement: Movement, out: Int32Array): number {
  if (position.outcome !== null) return 0;
  if (!movement.isCountable || mayRestoreBoard(position, movement.ko)) {
    return listLegalMoves(position, movement, out);
  }
  const own = position.stones[position.player];
  prepareMasks(masks, movement, own, position.stones[opponentOf(position.player)]);
  return countMoves(masks, own, movement.ends);
}

/**
 * Plays a legal move. Under a ko rule it may leave the opponent without a legal move, who then loses
 * (docs/reference/rules.md, 4.7). May write to `out`.
 */
export function playMove(position: GessPosition, movement: Movement, action: Action, out: Int32Array): void {
  applyMove(position, action);
  if (movement.ko === 'none' || position.outcome !== null || !mayRestoreBoard(position, movement.ko)) return;
  if (listLegalMoves(position, movement, out) === 0) position.outcome = position.player === 0 ? -1 : 1;
}

/** The greatest distance that the piece on `square` can go in `direction`; 0 if it cannot, or there is no piece. */
function greatestDistance(
  position: GessPosition,
  movement: Movement,
  square: number,
  direction: number,
): number {
  const own = position.stones[position.player];
  prepareMasks(masks, movement, own, position.stones[opponentOf(position.player)]);
  const index = rowOf(square) + 1;
  const column = square % SIZE;
  const canStart = (masks.pieces[index]! >> column) & (neighbours(own, index, column) >> direction) & 1;
  if (canStart === 0) return 0;
  const farthest = ((own[index]! >> column) & 1) !== 0 ? MAX_DISTANCE : SHORT_DISTANCE;
  const room = movement.room[square * NUM_DIRECTIONS + direction]!;
  return reach(index, column, direction, Math.min(room, farthest));
}

/** Whether `action`, any number, is a legal move. */
export function isLegalMove(position: GessPosition, movement: Movement, action: Action): boolean {
  if (position.outcome !== null || !Number.isInteger(action) || action < 0 || action >= NUM_ACTIONS)
    return false;
  const farthest = greatestDistance(position, movement, startSquare(action), directionOf(action));
  if (distanceOf(action) > farthest) return false;
  if (movement.suicideIsIllegal && !keepsRing(position, action)) return false;
  return movement.ko === 'none' || findRestoredBoard(position, action, movement.ko) === NO_BOARD;
}

/** Why a move is illegal, as a clause that follows the move's text. */
export function explainIllegalMove(position: GessPosition, movement: Movement, action: Action): string {
  if (position.outcome !== null) return 'comes after the end of the game';
  const square = startSquare(action);
  const row = rowOf(square);
  const column = square % SIZE;
  const own = position.stones[position.player];
  const other = position.stones[opponentOf(position.player)];
  const holds = (stones: Int32Array): boolean =>
    ((stones[row]! | stones[row + 1]! | stones[row + 2]!) & ((7 << column) >> 1)) !== 0;
  if (((movement.starts[row + 1]! >> column) & 1) === 0) return 'starts off the board';
  if (holds(other)) return "starts from a footprint with a stone of the opponent's";
  if (!holds(own)) return "starts from a footprint without a stone of the mover's";
  const direction = directionOf(action);
  if (((neighbours(own, row + 1, column) >> direction) & 1) === 0) {
    return `goes ${DIRECTION_NAMES[direction]!}, where the piece has no stone`;
  }
  const farthest = greatestDistance(position, movement, square, direction);
  if (distanceOf(action) > farthest) {
    return `goes ${distanceOf(action)} squares, but the piece can go at most ${farthest}`;
  }
  if (movement.suicideIsIllegal && !keepsRing(position, action)) return "breaks the mover's last ring";
  const index = findRestoredBoard(position, action, movement.ko);
  return `brings back the board of ply ${position.ply - position.historyLength + index}`;
}
