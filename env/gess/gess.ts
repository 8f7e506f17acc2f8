import type { Action, DiagramOptions, Game } from '../game.js';
import { joinHash } from '../random.js';
import {
  endsOnSquare,
  gessTargets,
  mirrorForPlayer,
  MAX_DISTANCE,
  NUM_ACTIONS,
  NUM_DIRECTIONS,
  SIZE,
} from './gess-board.js';
import {
  createDiagram,
  type Diagram,
  explainOutcome,
  nameRings,
  renderDiagram,
} from './diagrams/gess-diagram.js';
import { describePieces } from './diagrams/figure-code.js';
import { MAX_LEGAL_ACTIONS } from './move-counting.js';
import {
  countLegalMoves,
  explainIllegalMove,
  isLegalMove,
  listLegalMoves,
  playMove,
} from './gess-move-generation.js';
import { createMovement, type Movement } from './movement.js';
import { applyMove, nextReachingRing, reachesRing, undoMove } from './gess-moves.js';
import { formatMove, parseMove } from './move-notation.js';
import { PACKED_SIZE, packPosition, unpackPosition } from './gess-packing.js';
import {
  drawPlanesWithMoves,
  ENCODING_WITH_MOVES,
  NUM_PLANES_WITH_MOVES,
  type SceneryWithMoves,
} from './planes/gess-move-planes.js';
import { createTemplate, drawPlanes, GESS_ENCODING, NUM_PLANES, planesHash } from './planes/gess-planes.js';
import { formatPosition, parsePosition, START_TEXT } from './position-notation.js';
import type { GessPosition } from './gess-position.js';
import { clonePosition, RECORD_ACTION, RECORD_SIZE } from './gess-position.js';
import { formatRules, type GessRules, parseRules } from './gess-rules.js';
import { drawGess } from './diagrams/gess-drawing.js';
import { renderSvgDiagram } from './diagrams/gess-svg.js';
import { GESS_SYMMETRIES } from './gess-symmetries.js';

/** Options of a game of Gess. */
export interface GessOptions {
  /** `NAME[,setting=value…]`; `default` is `eureka`. */
  readonly rules?: string;
  /** Plies, 1 or more, after which an environment truncates the game. Defaults to 300. */
  readonly plyLimit?: number | undefined;
}

/** The facts that do not depend on the rules. */
const FACTS = {
  id: 'gess',
  rulesVersion: 1,
  encodingVersion: 1,
  playerNames: ['black', 'white'],
  numActions: NUM_ACTIONS,
  maxLegalActions: MAX_LEGAL_ACTIONS,
  policyShape: [SIZE, SIZE, NUM_DIRECTIONS * MAX_DISTANCE],
  packedSize: PACKED_SIZE,
} as const;

/** Texts, bytes and policy indices, which do not depend on the rules. */
const CODECS = {
  policyIndex: mirrorForPlayer,
  actionOfPolicyIndex: mirrorForPlayer,
  pack: packPosition,
  unpack: unpackPosition,
  parsePosition,
  formatPosition,
  parseAction: parseMove,
  formatAction: formatMove,
  explainOutcome,
} as const;

/** The part of the game that concerns its planes. */
type Planes = Pick<Game<GessPosition>, 'encoding' | 'observationShape' | 'observe'>;

/** The planes without and with those of moves. */
function createPlanes(
  rules: GessRules,
  movement: Movement,
  plyLimit: number,
): { readonly plain: Planes; readonly withMoves: Planes } {
  const sceneryOf = (numPlanes: number): readonly SceneryWithMoves[] => {
    const template = createTemplate(rules, numPlanes);
    return ([0, 1] as const).map((viewer) => ({ template, numPlanes, plyLimit, viewer, movement }));
  };
  const scenery = sceneryOf(NUM_PLANES);
  const sceneryWithMoves = sceneryOf(NUM_PLANES_WITH_MOVES);
  return {
    plain: {
      encoding: GESS_ENCODING,
      observationShape: [SIZE, SIZE, NUM_PLANES],
      observe: (position, out, offset, viewer = position.player) => {
        drawPlanes(position, scenery[viewer]!, out, offset);
      },
    },
    withMoves: {
      encoding: ENCODING_WITH_MOVES,
      observationShape: [SIZE, SIZE, NUM_PLANES_WITH_MOVES],
      observe: (position, out, offset, viewer = position.player) => {
        drawPlanesWithMoves(position, sceneryWithMoves[viewer]!, out, offset);
      },
    },
  };
}

/** Creates `apply`. Only under a ko rule must it check for a player without legal moves. */
function createApply(movement: Movement, scratch: Int32Array): Game<GessPosition>['apply'] {
  if (movement.ko === 'none') return applyMove;
  return (position, action) => {
    playMove(position, movement, action, scratch);
  };
}

/**
 * Gess, by the rules of docs/reference/rules.md. `encodeAction` numbers its actions, gess-planes.ts defines its planes
 * and gess-packing.ts its bytes, which do not record the moves that a ko rule bars.
 *
 * @throws NotationError `rules-unknown`.
 */
export function createGess({ rules = 'default', plyLimit = 300 }: GessOptions = {}): Game<GessPosition> {
  const settings = parseRules(rules);
  const movement = createMovement(settings);
  const planes = createPlanes(settings, movement, plyLimit);
  const start = parsePosition(START_TEXT);
  const scratch = new Int32Array(MAX_LEGAL_ACTIONS);
  const legalMoves = (position: GessPosition): Action[] =>
    Array.from(scratch.subarray(0, listLegalMoves(position, movement, scratch)));
  const diagram = (position: GessPosition, options?: DiagramOptions): Diagram =>
    createDiagram(position, () => legalMoves(position), options);
  const gameWith = (seen: Planes): Game<GessPosition> => ({
    rules: formatRules(settings),
    ...FACTS,
    plyLimit,
    get policyTargets() {
      return gessTargets();
    },
    symmetries: GESS_SYMMETRIES,
    initialState: () => clonePosition(start),
    clone: clonePosition,
    currentPlayer: (position) => position.player,
    ply: (position) => position.ply,
    outcome: (position) => position.outcome,
    legalActions: (position, out) => listLegalMoves(position, movement, out),
    countLegalActions: (position) => countLegalMoves(position, movement, scratch),
    isLegal: (position, action) => isLegalMove(position, movement, action),
    apply: createApply(movement, scratch),
    undo: undoMove,
    ...(movement.ko === 'none' && { mayWin: reachesRing, nextMayWin: nextReachingRing }),
    historyLength: (position) => position.historyLength,
    historyAction: (position, index) => position.records[index * RECORD_SIZE + RECORD_ACTION]!,
    hash: (position) => joinHash(position.hashLow, position.hashHigh),
    observationHash: planesHash,
    ...seen,
    withPlanes: (movePlanes) => gameWith(movePlanes ? planes.withMoves : planes.plain),
    ...CODECS,
    render: (position, options) => renderDiagram(diagram(position, options), options?.paint),
    renderSvg: (position, options) => renderSvgDiagram(diagram(position, options)),
    draw: (position, options) => drawGess(diagram(position, options), movement),
    describe: (position) => ({ rings: nameRings(position) }),
    describePieces: (position) => describePieces(position, legalMoves(position)),
    explainIllegal: (position, action) => explainIllegalMove(position, movement, action),
    canForce: (_position, action) => endsOnSquare(action),
  });
  return gameWith(planes.plain);
}
