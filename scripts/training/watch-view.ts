import { visibleText } from '../../env/text/quoted-text.js';
import { boardSize, paintBoard } from '../play/screen/board-painting.js';
import { FOOT_LINES, GAP_COLUMNS, layOutFrame, type TerminalSize } from '../play/screen/frame-layout.js';
import { inkText } from '../terminal/terminal-colors.js';
import type { TerminalFacts } from '../terminal/terminal-facts.js';
import { wrapText } from '../text/wrapped-text.js';
import { cutText } from '../text/columns.js';
import type { RunMoment } from './run-reader.js';
import { type InkedLine, watchLines } from './watch-text.js';

/** A board as lines of equal width. */
interface PaintedBoard {
  readonly lines: readonly string[];
  readonly columns: number;
}

/** Columns of the text that must stay beside a board, and how many more that is than in a game. */
const LEAST_TEXT = 44;
const MORE_TEXT = 16;

/** The board in colours at the largest scale that leaves room for the text; null if none does. */
function paintedBoard(
  { game, lastGame }: RunMoment,
  size: TerminalSize,
  facts: TerminalFacts,
): PaintedBoard | null {
  const drawing = lastGame === null ? undefined : game.draw?.(lastGame.state);
  if (drawing === undefined || facts.depth === 1) return null;
  // The layout is that of a game, with its two lines below the board and less text beside it.
  const room = { columns: size.columns - MORE_TEXT, lines: size.lines + FOOT_LINES };
  const { scale, sideColumns } = layOutFrame(drawing, room, facts.isUnicode);
  if (scale === undefined || sideColumns === 0) return null;
  return { lines: paintBoard(drawing, scale, facts), columns: boardSize(drawing, scale).columns };
}

/** The board in characters; null if there is too little room. */
function writtenBoard({ game, lastGame }: RunMoment, size: TerminalSize): PaintedBoard | null {
  if (lastGame === null) return null;
  const [board = ''] = game.render(lastGame.state).split('\n\n');
  const lines = board.split('\n').map(visibleText);
  const columns = Math.max(...lines.map(({ length }) => length));
  const fits = columns + GAP_COLUMNS + LEAST_TEXT <= size.columns && lines.length <= size.lines;
  return fits ? { lines: lines.map((line) => line.padEnd(columns)), columns } : null;
}

function inked([text, ink = {}]: InkedLine, columns: number, { depth }: TerminalFacts): readonly string[] {
  return wrapText(visibleText(text), columns, '  ').map((line) =>
    inkText(cutText(line, columns), ink, depth),
  );
}

/**
 * A run as lines of a terminal: figures at the left, the board of the last game at the right if it fits.
 *
 * @param size of the room for the lines.
 * @param now seconds since 1970.
 */
export function watchView(
  moment: RunMoment,
  size: TerminalSize,
  facts: TerminalFacts,
  now: number,
): readonly string[] {
  const board = paintedBoard(moment, size, facts) ?? (facts.depth === 1 ? writtenBoard(moment, size) : null);
  const columns = Math.max(1, size.columns - 1 - (board === null ? 0 : board.columns + GAP_COLUMNS));
  const text = watchLines(moment, columns, now)
    .flatMap((line) => inked(line, columns, facts))
    .slice(0, size.lines);
  if (board === null) return text;
  const height = Math.min(size.lines, Math.max(board.lines.length, text.length));
  const blank = ' '.repeat(board.columns);
  const gap = ' '.repeat(GAP_COLUMNS);
  return Array.from(
    { length: height },
    (_, index) => `${board.lines[index] ?? blank}${gap}${text[index] ?? ''}`,
  );
}
