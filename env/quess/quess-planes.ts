import { type Action, NO_ACTION, type Player } from '../game.js';
import { type EncodingDescription, numberPlanes } from '../encoding.js';
import {
  EMPTY,
  isInZone,
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
 * The planes of Quess's network input, `[6, 6, 20]`: row, column, plane, planes fastest. The viewer's own
 * starting zone is around row 0, column 0: dark's board is rotated by half a turn. "Own" refers to the
 * viewer, by default the player to move.
 */
const PLANE_TEXTS = {
  ownTriangles: 'own triangles',
  ownCircles: 'own circles',
  ownSquares: 'own squares',
  opponentTriangles: "the opponent's triangles",
  opponentCircles: "the opponent's circles",
  opponentSquares: "the opponent's squares",
  ownZone: 'own starting zone',
  opponentZone: "the opponent's starting zone",
  lastMoveStart: 'start of the last move',
  lastMoveEnd: 'end of the last move',
  moveBeforeStart: 'start of the move before the last',
  moveBeforeEnd: 'end of the move before the last',
  barredStarts: 'starts of moves that superko bars now',
  barredEnds: 'ends of moves that superko bars now',
  ply: 'everywhere: ply / 128, at most 1',
  truncationClock: 'everywhere: ply / ply limit (300), at most 1',
  ownTime: "everywhere: time left to the player to move, as a share of the rules' time; 0 without clocks",
  opponentTime: 'everywhere: the same of the opponent',
  hasClocks: 'rule, everywhere: there are clocks',
  // Lets a convolution detect the edge of the board.
  ones: 'ones',
};

const PLANE = numberPlanes(PLANE_TEXTS);

/** Planes of `observe`. */
export const NUM_PLANES = Object.keys(PLANE_TEXTS).length;

/** `[2, 3]` planes of the viewer's pieces, and of the opponent's, by shape. */
const PIECES = [
  [PLANE.ownTriangles, PLANE.ownCircles, PLANE.ownSquares],
  [PLANE.opponentTriangles, PLANE.opponentCircles, PLANE.opponentSquares],
] as const;

/** Text description of the encoding of Quess, as implemented by `drawPlanes` and `TARGETS`. */
export const QUESS_ENCODING: EncodingDescription = {
  planes: Object.values(PLANE_TEXTS),
  orientation:
    'Own means of the player to move. If light is to move, row 0 is row F and column 0 column 1; for dark the board is turned by half a turn: row 0 is row A, column 0 column 6.',
  policy:
    'index = (row * 6 + column) * 28 + plane, with row and column of the piece as in the planes; planes 0-19 are direction * 5 + distance - 1, directions 0-3 being N E S W, N towards higher rows, and distance 1-5; planes 20-27 are hops by (rows, columns) (2,1) (1,2) (-1,2) (-2,1) (-2,-1) (-1,-2) (1,-2) (2,-1).',
  holders: { own: PIECES[0], opponent: PIECES[1] },
};

// Module constants, as `observe` reads them for every square.
const PLY = PLANE.ply;
const TRUNCATION_CLOCK = PLANE.truncationClock;
const OWN_TIME = PLANE.ownTime;
const OPPONENT_TIME = PLANE.opponentTime;

/** The ply at which plane `ply` reaches 1. */
const PLY_SCALE = 128;

/** Inputs of the planes besides the position. */
export interface Scenery {
  /** `[6, 6, 20]` the planes that are constant in a game with these rules. */
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
    template[first + PLANE.ownZone] = Number(isInZone(0, square));
    template[first + PLANE.opponentZone] = Number(isInZone(1, square));
    template[first + PLANE.hasClocks] = Number(clockSeconds !== null);
    template[first + PLANE.ones] = 1;
  }
  return { template, plyLimit, clockSeconds };
}

/** The destination of planes, and the view. */
interface Canvas {
  readonly out: Float32Array;
  readonly offset: number;
  readonly viewer: Player;
}

/** The planes of moves. */
interface SquarePlanes {
  readonly start: number;
  readonly end: number;
}

const LAST_MOVE: SquarePlanes = { start: PLANE.lastMoveStart, end: PLANE.lastMoveEnd };
const MOVE_BEFORE: SquarePlanes = { start: PLANE.moveBeforeStart, end: PLANE.moveBeforeEnd };
const BARRED: SquarePlanes = { start: PLANE.barredStarts, end: PLANE.barredEnds };

function drawMove({ out, offset, viewer }: Canvas, { start, end }: SquarePlanes, action: Action): void {
  if (action === NO_ACTION) return;
  out[offset + seenSquare(viewer, startSquare(action)) * NUM_PLANES + start] = 1;
  out[offset + seenSquare(viewer, TARGETS[action]!) * NUM_PLANES + end] = 1;
}

/** Scratch of each call; kept to avoid allocation. */
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
      const planes = PIECES[ownerOf(piece) === viewer ? 0 : 1];
      out[first + planes[shapeOf(piece) - 1]!] = 1;
    }
    out[first + PLY] = ply;
    out[first + TRUNCATION_CLOCK] = truncation;
    out[first + OWN_TIME] = own;
    out[first + OPPONENT_TIME] = other;
  }
  drawMove(canvas, LAST_MOVE, recentAction(position, 1));
  drawMove(canvas, MOVE_BEFORE, recentAction(position, 2));
  const count = listBarredMoves(position, barred, bars);
  for (let i = 0; i < count; i++) drawMove(canvas, BARRED, barred[i]!);
}

/** 53-bit hash of everything the planes show of a position, except the rules. */
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
