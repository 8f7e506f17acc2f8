import { type Action, NO_ACTION, type Player } from '../game.js';
import {
  EMPTY,
  isInZone,
  NUM_SHAPES,
  NUM_SQUARES,
  ownerOf,
  seenSquare,
  shapeOf,
  startSquare,
  TARGETS,
} from './quess-board.js';
import { listBarredMoves, MAX_LEGAL_ACTIONS } from './quess-move-generation.js';
import { mixHash, type QuessPosition, recentAction } from './quess-position.js';

/**
 * The network input of Quess, `[6, 6, 20]`: row, column, plane, planes fastest. The viewer's own starting zone
 * is around row 0, column 0: dark's board is turned by half a turn. "Own" is the viewer, who is to move unless
 * said otherwise.
 *
 * |plane|1 where|
 * |---|---|
 * |0, 1, 2|own triangles, circles, squares|
 * |3, 4, 5|the opponent's|
 * |6, 7|own and the opponent's starting zone|
 * |8, 9|the last move starts and ends|
 * |10, 11|the same of the move before that|
 * |12, 13|moves that superko bars now start and end|
 * |14|everywhere: ply / 128, at most 1|
 * |15|everywhere: ply / plyLimit, at most 1|
 * |16, 17|everywhere: time left of the viewer's and of the opponent's, as a share of the rules' time; 0 without clocks|
 * |18|everywhere, if there are clocks|
 * |19|everywhere: shows a convolution where the board ends|
 */
export const NUM_PLANES = 20;

const OPPONENT = NUM_SHAPES;
const ZONES = 6;
const LAST_MOVE = 8;
const MOVE_BEFORE = 10;
const BARRED = 12;
const PLY = 14;
const TRUNCATION_CLOCK = 15;
const CLOCKS = 16;
const HAS_CLOCKS = 18;
const ONES = 19;

/** Plies at which plane 14 is full. */
const PLY_SCALE = 128;

/** What the planes show besides the position. */
export interface Scenery {
  /** `[6, 6, 20]` the planes that no position of a game with these rules changes. */
  readonly template: Float32Array;
  readonly plyLimit: number;
  /** Seconds on each clock at the start; null: no clocks. */
  readonly clockSeconds: number | null;
}

/** The scenery of a game with these settings. */
export function createScenery(plyLimit: number, clockSeconds: number | null): Scenery {
  const template = new Float32Array(NUM_SQUARES * NUM_PLANES);
  for (let square = 0; square < NUM_SQUARES; square++) {
    const first = square * NUM_PLANES;
    template[first + ZONES] = Number(isInZone(0, square));
    template[first + ZONES + 1] = Number(isInZone(1, square));
    template[first + HAS_CLOCKS] = Number(clockSeconds !== null);
    template[first + ONES] = 1;
  }
  return { template, plyLimit, clockSeconds };
}

/** What the planes are written to, and from whose view. */
interface Canvas {
  readonly out: Float32Array;
  readonly offset: number;
  readonly viewer: Player;
}

function drawMove({ out, offset, viewer }: Canvas, plane: number, action: Action): void {
  if (action === NO_ACTION) return;
  out[offset + seenSquare(viewer, startSquare(action)) * NUM_PLANES + plane] = 1;
  out[offset + seenSquare(viewer, TARGETS[action]!) * NUM_PLANES + plane + 1] = 1;
}

/** For lists that do not outlive a call. */
const barred = new Int32Array(MAX_LEGAL_ACTIONS);
const bars = new Int32Array(2);

/** Writes all planes over `canvas.out[canvas.offset …]`. */
export function drawPlanes(position: QuessPosition, scenery: Scenery, canvas: Canvas): void {
  const { out, offset, viewer } = canvas;
  const { cells, clocks } = position;
  out.set(scenery.template, offset);
  const fullMs = (scenery.clockSeconds ?? 1) * 1000;
  const ply = Math.min(1, position.ply / PLY_SCALE);
  const truncation = Math.min(1, position.ply / scenery.plyLimit);
  const own = clocks[viewer]! / fullMs;
  const other = clocks[1 - viewer]! / fullMs;
  for (let square = 0; square < NUM_SQUARES; square++) {
    const first = offset + seenSquare(viewer, square) * NUM_PLANES;
    const piece = cells[square]!;
    if (piece !== EMPTY) {
      const side = ownerOf(piece) === viewer ? 0 : OPPONENT;
      out[first + side + shapeOf(piece) - 1] = 1;
    }
    out[first + PLY] = ply;
    out[first + TRUNCATION_CLOCK] = truncation;
    out[first + CLOCKS] = own;
    out[first + CLOCKS + 1] = other;
  }
  drawMove(canvas, LAST_MOVE, recentAction(position, 1));
  drawMove(canvas, MOVE_BEFORE, recentAction(position, 2));
  const count = listBarredMoves(position, barred, bars);
  for (let i = 0; i < count; i++) drawMove(canvas, BARRED, barred[i]!);
}

/** 53 bits of all that the planes show of a position; games with other rules are not told apart. */
export function planesHash(position: QuessPosition): number {
  listBarredMoves(position, barred, bars);
  return mixHash(position, [
    recentAction(position, 1),
    recentAction(position, 2),
    position.ply,
    bars[0]!,
    bars[1]!,
    position.clocks[0]!,
    position.clocks[1]!,
  ]);
}
