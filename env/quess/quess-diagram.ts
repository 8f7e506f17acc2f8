import { turnCaption } from '../diagrams/turn-caption.js';
import { NotationError } from '../errors.js';
import { type DiagramOptions, NO_ACTION, type Paint } from '../game.js';
import {
  EMPTY,
  isInZone,
  NUM_SHAPES,
  parseSquare,
  PIECE_LETTERS,
  SIZE,
  startSquare,
  TARGETS,
} from './quess-board.js';
import { formatSeconds } from './clock-seconds.js';
import { countInZone, countPieces, PIECES_THAT_WIN } from './ending.js';
import { listBarredMoves, listLegalMoves, MAX_LEGAL_ACTIONS } from './quess-move-generation.js';
import { formatMove } from './quess-notation.js';
import { type QuessPosition, recentAction } from './quess-position.js';
import { quote } from '../text/quoted-text.js';

/** Names of the rows, row 0 first. */
export const ROW_NAMES = 'FEDCBA';

/** The marked squares of a diagram: those of the last move, the chosen piece and its destinations. */
export interface Marks {
  readonly lastMove: readonly number[];
  /** The square of the chosen piece. */
  readonly piece: number | undefined;
  readonly destinations: readonly number[];
}

/**
 * Finds the squares to mark.
 *
 * @throws NotationError `action-syntax` if `piece` is not a square.
 */
export function findMarks(position: QuessPosition, options: DiagramOptions = {}): Marks {
  const action = recentAction(position, 1);
  const lastMove = action === NO_ACTION ? [] : [startSquare(action), TARGETS[action]!];
  if (options.piece === undefined) return { lastMove, piece: undefined, destinations: [] };
  const piece = parseSquare(options.piece.trim());
  if (piece === undefined) {
    throw new NotationError('action-syntax', `expected a square A1 to F6, got ${quote(options.piece)}`);
  }
  const actions = new Int32Array(MAX_LEGAL_ACTIONS);
  const legal = actions.subarray(0, listLegalMoves(position, actions));
  const destinations = Array.from(legal)
    .filter((move) => startSquare(move) === piece)
    .map((move) => TARGETS[move]!);
  return { lastMove, piece, destinations };
}

/**
 * A mark and the piece on a square. Marks are `*` for destinations, `+` for the last move and `:` for
 * starting zones.
 */
function squareText(position: QuessPosition, marks: Marks, square: number, paint: Paint): string {
  const mark = marks.destinations.includes(square)
    ? paint('choice', '*')
    : marks.lastMove.includes(square)
      ? paint('last-move', '+')
      : ' ';
  const piece = position.cells[square]!;
  if (piece !== EMPTY) {
    return `${mark}${paint(piece > NUM_SHAPES ? 'second' : 'first', PIECE_LETTERS.charAt(piece))}`;
  }
  return `${mark}${isInZone(0, square) || isInZone(1, square) ? ':' : '.'}`;
}

/** Why a finished game has its outcome (docs/reference/rules-quess.md, Q4 to Q6). */
export function explainOutcome(position: QuessPosition): string {
  const { outcome, isTimed, clocks } = position;
  if (outcome === null) return 'the game goes on';
  if (outcome === 0) return 'one piece is left on each side';
  const winner = outcome === 1 ? 0 : 1;
  const [winnerName, loserName] = winner === 0 ? ['light', 'dark'] : ['dark', 'light'];
  if (isTimed && clocks[1 - winner] === 0) return `${loserName} has no time left`;
  const count = countInZone(position, winner);
  if (count >= PIECES_THAT_WIN) return `${winnerName} has ${count} pieces in ${loserName}'s starting zone`;
  if (countPieces(position, 0) === 1 && countPieces(position, 1) === 1 && isTimed) {
    return `one piece is left on each side, and ${winnerName} has more time`;
  }
  return `${loserName} has no legal move`;
}

/** Lines below a diagram: the player to move and the last move, pieces in the zones, superko, clocks. */
export function captionsOf(position: QuessPosition): string[] {
  const action = recentAction(position, 1);
  const barred = nameBarredMoves(position);
  const [light = 0, dark = 0] = Array.from(position.clocks, formatSeconds);
  return [
    turnCaption(position, ['light', 'dark'], action === NO_ACTION ? null : formatMove(action)),
    `in the opponent's zone: light ${countInZone(position, 0)}, dark ${countInZone(position, 1)}`,
    ...(barred.length > 0 ? [`barred by superko: ${barred.join(' ')}`] : []),
    ...(position.isTimed ? [`seconds left: light ${light}, dark ${dark}`] : []),
  ];
}

/**
 * The board for a terminal, row A at the top, with a legend.
 *
 * @throws NotationError `action-syntax` if `piece` is not a square.
 */
export function renderPosition(position: QuessPosition, options?: DiagramOptions): string {
  const marks = findMarks(position, options);
  const paint: Paint = options?.paint ?? ((_kind, text) => text);
  const columns = `   ${Array.from({ length: SIZE }, (_, column) => ` ${column + 1}`).join('')}`;
  const rows = Array.from({ length: SIZE }, (_, i) => {
    const first = (SIZE - 1 - i) * SIZE;
    const squares = Array.from({ length: SIZE }, (_, column) =>
      squareText(position, marks, first + column, paint),
    );
    return ` ${ROW_NAMES.charAt(SIZE - 1 - i)} ${squares.join('')}  ${ROW_NAMES.charAt(SIZE - 1 - i)}`;
  });
  const legends = [
    'T C S light, t c s dark; : starting zones',
    ...(marks.lastMove.length > 0 ? ['+ last move'] : []),
    ...(marks.piece === undefined ? [] : ['* where the piece may go']),
  ];
  return [columns, ...rows, columns, '', ...captionsOf(position), legends.join('; ')].join('\n');
}

/** The moves that superko bars now; none in a finished game. */
export function nameBarredMoves(position: QuessPosition): string[] {
  if (position.outcome !== null) return [];
  const actions = new Int32Array(MAX_LEGAL_ACTIONS);
  const count = listBarredMoves(position, actions, new Int32Array(2));
  return Array.from(actions.subarray(0, count), formatMove);
}
