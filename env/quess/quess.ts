import type { Game } from '../game.js';
import {
  EMPTY,
  MOVES_PER_SQUARE,
  NUM_ACTIONS,
  OFF_BOARD,
  ownerOf,
  SIZE,
  startSquare,
  TARGETS,
  turnForPlayer,
} from './quess-board.js';
import { spendTime } from './clock.js';
import { formatSeconds } from './clock-seconds.js';
import { explainOutcome, nameBarredMoves, renderPosition } from './quess-diagram.js';
import { drawQuess } from './quess-drawing.js';
import { countInZone, countPieces } from './ending.js';
import { explainIllegalMove } from './explanation.js';
import { countLegalMoves, isLegalMove, listLegalMoves, MAX_LEGAL_ACTIONS } from './quess-move-generation.js';
import { applyMove, undoMove } from './quess-moves.js';
import { formatMove, formatPosition, parseMove, parsePosition, startPosition } from './quess-notation.js';
import { PACKED_SIZE, packPosition, unpackPosition } from './quess-packing.js';
import { createScenery, drawPlanes, NUM_PLANES, planesHash, QUESS_ENCODING } from './quess-planes.js';
import {
  clonePosition,
  positionHash,
  type QuessPosition,
  RECORD_ACTION,
  RECORD_SIZE,
} from './quess-position.js';
import { formatRules, parseRules } from './quess-rules.js';
import { renderSvgPosition } from './quess-svg.js';
import { SYMMETRIES } from './quess-symmetries.js';

/** Options of a game of Quess. */
export interface QuessOptions {
  /** `standard[,clock=SECONDS]`; `default` is `standard`. */
  readonly rules?: string;
  /**
   * Plies, 1 or more, after which an environment truncates the game. Defaults to 300; random games have a
   * median of about 120 plies, those of alpha-beta about 20.
   */
  readonly plyLimit?: number | undefined;
}

/** The pieces, those in the opponent's zone, the moves that superko bars and the seconds left. */
function describePosition(position: QuessPosition): Readonly<Record<string, unknown>> {
  const [light = 0, dark = 0] = Array.from(position.clocks, (ms) => Number(formatSeconds(ms)));
  return {
    pieceCounts: { light: countPieces(position, 0), dark: countPieces(position, 1) },
    inZone: { light: countInZone(position, 0), dark: countInZone(position, 1) },
    barred: nameBarredMoves(position),
    ...(position.isTimed ? { clocks: { light, dark } } : {}),
  };
}

/** Whether the mover has a piece on the start of `action` and none on its end; the action may be illegal. */
function canForce({ cells, player }: QuessPosition, action: number): boolean {
  const end = TARGETS[action];
  if (end === undefined || end === OFF_BOARD) return false;
  const piece = cells[startSquare(action)]!;
  if (piece === EMPTY || ownerOf(piece) !== player) return false;
  return cells[end] === EMPTY || ownerOf(cells[end]!) !== player;
}

/** `TARGETS`, with a valid square for moves that leave the board. */
const POLICY_TARGETS = Uint16Array.from(TARGETS, (target) => Math.max(target, 0));

/** The facts that do not depend on the rules. */
const FACTS = {
  id: 'quess',
  rulesVersion: 1,
  encodingVersion: 1,
  playerNames: ['light', 'dark'],
  numActions: NUM_ACTIONS,
  maxLegalActions: MAX_LEGAL_ACTIONS,
  encoding: QUESS_ENCODING,
  observationShape: [SIZE, SIZE, NUM_PLANES],
  policyShape: [SIZE, SIZE, MOVES_PER_SQUARE],
  policyTargets: POLICY_TARGETS,
  symmetries: SYMMETRIES,
  packedSize: PACKED_SIZE,
} as const;

/**
 * Quess, by the rules of docs/reference/rules-quess.md. `TARGETS` (quess-board.ts) numbers its actions, quess-planes.ts
 * defines its planes and quess-packing.ts its bytes. A position's text has no earlier boards, so superko
 * covers only boards since it was parsed. Packed bytes record the moves that superko bars in the packed
 * position.
 *
 * @throws NotationError `rules-unknown`.
 */
export function createQuess({ rules = 'default', plyLimit = 300 }: QuessOptions = {}): Game<QuessPosition> {
  const settings = parseRules(rules);
  const { clockSeconds } = settings;
  const scenery = createScenery(plyLimit, clockSeconds);
  const start = startPosition(clockSeconds);
  return {
    rules: formatRules(settings),
    ...FACTS,
    plyLimit,
    initialState: () => clonePosition(start),
    clone: clonePosition,
    currentPlayer: (position) => position.player,
    ply: (position) => position.ply,
    outcome: (position) => position.outcome,
    legalActions: listLegalMoves,
    countLegalActions: countLegalMoves,
    isLegal: isLegalMove,
    apply: applyMove,
    undo: undoMove,
    historyLength: (position) => position.historyLength,
    historyAction: (position, index) => position.records[index * RECORD_SIZE + RECORD_ACTION]!,
    hash: positionHash,
    observationHash: planesHash,
    observe: (position, out, offset, viewer = position.player) => {
      drawPlanes(position, scenery, { out, offset, viewer });
    },
    policyIndex: turnForPlayer,
    actionOfPolicyIndex: turnForPlayer,
    pack: packPosition,
    unpack: (bytes, offset, position) => {
      unpackPosition(bytes, offset, position, settings);
    },
    parsePosition: (text) => parsePosition(text, settings),
    formatPosition,
    parseAction: parseMove,
    formatAction: formatMove,
    render: renderPosition,
    renderSvg: renderSvgPosition,
    describe: describePosition,
    draw: drawQuess,
    explainIllegal: explainIllegalMove,
    explainOutcome,
    canForce,
    ...(clockSeconds === null ? {} : { spendTime }),
  };
}
