import { type EncodingDescription, numberPlanes } from '../../encoding.js';
import type { Player } from '../../game.js';
import { directionOf, endsOnSquare, endSquare, mirrorForPlayer, NUM_ACTIONS } from '../gess-board.js';
import { listMoves } from '../gess-move-generation.js';
import { drawPlanes, GESS_ENCODING, NUM_PLANES, type Scenery } from './gess-planes.js';
import type { GessPosition } from '../gess-position.js';
import { MAX_LEGAL_ACTIONS } from '../move-counting.js';
import type { Movement } from '../movement.js';

/**
 * The planes of moves, after those of gess-planes.ts: where the moves of both players end, for networks with
 * `network.movePlanes`. A convolution sees only a neighbourhood, but a piece with a stone in its centre slides across
 * the board.
 *
 * At most one move in each of the four directions of a plane ends on a square (docs/reference/rules.md, 5.2), so a
 * quarter of their number is at most 1. Every symmetry maps these planes like the others, as they do not tell the
 * directions that it exchanges. They depend on stones and rules alone, so `planesHash` covers them. Moves that break
 * the player's own last ring, or that a ko rule bars, are counted too; so are those in a finished position.
 */
const MOVE_PLANE_TEXTS = {
  ownStraight: 'number of own moves along rows and columns that end here, / 4',
  ownDiagonal: 'number of own moves along diagonals that end here, / 4',
  opponentStraight: "number of the opponent's moves along rows and columns that end here, / 4",
  opponentDiagonal: "number of the opponent's moves along diagonals that end here, / 4",
};

const PLANE = numberPlanes(MOVE_PLANE_TEXTS);

/** Planes of `observe` together with those of moves. */
export const NUM_PLANES_WITH_MOVES = NUM_PLANES + Object.keys(MOVE_PLANE_TEXTS).length;

/** Text description of the encoding with the planes of moves. */
export const ENCODING_WITH_MOVES: EncodingDescription = {
  ...GESS_ENCODING,
  planes: [...GESS_ENCODING.planes, ...Object.values(MOVE_PLANE_TEXTS)],
};

/** Scratch of each call; kept to avoid allocation. */
const listedMoves = new Int32Array(MAX_LEGAL_ACTIONS);

const placesOfEnds: [Uint16Array?, Uint16Array?] = [];

/**
 * `[57600]` the place of each move's end in the observation of a viewer, relative to the first plane of the player who
 * moves; 0 for moves that leave the squares. A table, as it saves divisions for every move; created at the first call.
 */
function placesSeenBy(viewer: Player): Uint16Array {
  placesOfEnds[viewer] ??= Uint16Array.from({ length: NUM_ACTIONS }, (_, action) => {
    if (!endsOnSquare(action)) return 0;
    const move = mirrorForPlayer(viewer, action);
    // Odd directions are diagonal.
    return endSquare(move) * NUM_PLANES_WITH_MOVES + (directionOf(move) & 1);
  });
  return placesOfEnds[viewer];
}

/** Inputs of the planes besides the position. */
export interface SceneryWithMoves extends Scenery {
  readonly movement: Movement;
}

/** Writes the planes of `observe` and those of moves over `out[offset …]`. */
export function drawPlanesWithMoves(
  position: GessPosition,
  scenery: SceneryWithMoves,
  out: Float32Array,
  offset: number,
): void {
  drawPlanes(position, scenery, out, offset);
  const { viewer, movement } = scenery;
  const places = placesSeenBy(viewer);
  for (const player of [0, 1] as const) {
    const plane = NUM_PLANES + (player === viewer ? PLANE.ownStraight : PLANE.opponentStraight);
    const count = listMoves(position, player, movement, listedMoves);
    for (let i = 0; i < count; i++) out[offset + plane + places[listedMoves[i]!]!]! += 1 / 4;
  }
}
