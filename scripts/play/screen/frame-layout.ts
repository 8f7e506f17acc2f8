import type { BoardDrawing } from '../../../env/diagrams/board-drawing.js';
import { boardSize, type BoardScale } from './board-painting.js';

/** Size of a terminal in columns and lines. */
export interface TerminalSize {
  readonly columns: number;
  readonly lines: number;
}

/** The places of the parts of the screen. The prompt and the status are the two lines below the frame. */
export interface FrameLayout {
  /** Undefined: the board does not fit. */
  readonly scale: BoardScale | undefined;
  /** Lines of the frame. */
  readonly lines: number;
  /** Columns of the text beside the board, 0 if there is no room for it. */
  readonly sideColumns: number;
  /** Lines of the text below the board, if none is beside it. */
  readonly belowLines: number;
}

/** Lines below the frame: the prompt, and the status. */
export const FOOT_LINES = 2;
/** Columns between the board and the text beside it. */
export const GAP_COLUMNS = 2;
/** Fewest and most columns of the text beside the board. */
const LEAST_SIDE = 28;
const MOST_SIDE = 72;

/** Sizes of a board, the largest first. */
function sizesOf(
  board: BoardDrawing | TerminalSize,
  allowsLarge: boolean,
): readonly (readonly [BoardScale, TerminalSize])[] {
  // A board drawn as text has only one size.
  if (!('rows' in board)) return [['normal', board]];
  const scales: readonly BoardScale[] = allowsLarge ? ['large', 'normal', 'compact'] : ['normal', 'compact'];
  return scales.map((scale) => [scale, boardSize(board, scale)]);
}

/**
 * Chooses the largest board that leaves room for text beside it, else the largest that fits.
 *
 * @param board a drawing, or the size of a board drawn as text.
 */
export function layOutFrame(
  board: BoardDrawing | TerminalSize,
  terminal: TerminalSize,
  allowsLarge: boolean,
): FrameLayout {
  const lines = Math.max(0, terminal.lines - FOOT_LINES);
  const fitting = sizesOf(board, allowsLarge).filter(
    ([, size]) => size.columns <= terminal.columns && size.lines <= lines,
  );
  const sideOf = (size: TerminalSize): number => terminal.columns - size.columns - GAP_COLUMNS - 1;
  const [scale, size] = fitting.find(([, one]) => sideOf(one) >= LEAST_SIDE) ?? fitting[0] ?? [];
  if (size === undefined) return { scale: undefined, lines, sideColumns: 0, belowLines: lines };
  const side = sideOf(size);
  const sideColumns = side >= LEAST_SIDE ? Math.min(MOST_SIDE, side) : 0;
  return { scale, lines, sideColumns, belowLines: sideColumns > 0 ? 0 : lines - size.lines };
}
