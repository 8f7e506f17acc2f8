import type { EncodingDescription } from '../../encoding.js';
import { opponentOf, type Player } from '../../game.js';
import { directionOf, endSquare, mirrorForPlayer, SIZE } from '../gess-board.js';
import { listMoves } from '../gess-move-generation.js';
import { drawPlanes, GESS_ENCODING, NUM_PLANES, type Scenery } from './gess-planes.js';
import type { GessPosition } from '../gess-position.js';
import { MAX_LEGAL_ACTIONS } from '../move-counting.js';
import type { Movement } from '../movement.js';

/**
 * The planes behind those of `observe` for networks with `network.movePlanes`: where the moves of both players end.
 * A convolution sees only a neighbourhood, but a piece with a stone in its centre slides across the board. The counts
 * are the same after every symmetry, as no direction is told from its images.
 *
 * Moves that break the own last ring or that a ko rule bars are counted.
 */
const MOVE_PLANE_TEXTS = [
  'number of own moves along rows and columns that end here, / 4',
  'number of own moves along diagonals that end here, / 4',
  "number of the opponent's moves along rows and columns that end here, / 4",
  "number of the opponent's moves along diagonals that end here, / 4",
] as const;

/** Planes of `observe` together with those of moves. */
export const NUM_PLANES_WITH_MOVES = NUM_PLANES + MOVE_PLANE_TEXTS.length;

/** Text description of the encoding with the planes of moves. */
export const ENCODING_WITH_MOVES: EncodingDescription = {
  ...GESS_ENCODING,
  planes: [...GESS_ENCODING.planes, ...MOVE_PLANE_TEXTS],
};

/** Scratch of each call; kept to avoid allocation: the planes of `observe`, and moves. */
const planes = new Float32Array(SIZE * SIZE * NUM_PLANES);
const moves = new Int32Array(MAX_LEGAL_ACTIONS);

/** Copies the planes of `observe` to `out`, and clears the planes of moves. */
function spreadPlanes(out: Float32Array, offset: number): void {
  let to = offset;
  for (let from = 0; from < planes.length; to += NUM_PLANES_WITH_MOVES) {
    for (const end = from + NUM_PLANES; from < end; from++) out[to + (from % NUM_PLANES)] = planes[from]!;
    for (let plane = NUM_PLANES; plane < NUM_PLANES_WITH_MOVES; plane++) out[to + plane] = 0;
  }
}

/** Inputs of the planes besides the position. */
export interface SceneryWithMoves extends Scenery {
  readonly movement: Movement;
}

/** Lists the moves of a player in `moves`, as the viewer sees them; returns their number. */
function listSeenMoves(
  position: GessPosition,
  player: Player,
  { movement, viewer }: SceneryWithMoves,
): number {
  const count = listMoves(position, player, movement, moves);
  for (let i = 0; i < count; i++) moves[i] = mirrorForPlayer(viewer, moves[i]!);
  return count;
}

/** Adds the ends of the first `count` of `moves` to the planes at `out[from …]`. */
function drawEnds(count: number, out: Float32Array, from: number): void {
  for (let i = 0; i < count; i++) {
    const move = moves[i]!;
    // Odd directions are diagonal.
    out[from + endSquare(move) * NUM_PLANES_WITH_MOVES + (directionOf(move) & 1)]! += 1 / 4;
  }
}

/** Writes the planes of `observe` and those of moves over `out[offset …]`. */
export function drawPlanesWithMoves(
  position: GessPosition,
  scenery: SceneryWithMoves,
  out: Float32Array,
  offset: number,
): void {
  const { viewer } = scenery;
  drawPlanes(position, scenery, planes, 0);
  spreadPlanes(out, offset);
  drawEnds(listSeenMoves(position, viewer, scenery), out, offset + NUM_PLANES);
  drawEnds(listSeenMoves(position, opponentOf(viewer), scenery), out, offset + NUM_PLANES + 2);
}
