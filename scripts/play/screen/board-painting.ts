import type {
  BoardDrawing,
  DrawnPiece,
  DrawnSquare,
  SquareMark,
} from '../../../env/diagrams/board-drawing.js';
import { blend, inkText } from '../../terminal/terminal-colors.js';
import type { TerminalFacts } from '../../terminal/terminal-facts.js';

/** The size of a square: `compact` is 1 column, `normal` 2 columns, `large` 4 columns by 2 lines. */
export type BoardScale = 'compact' | 'normal' | 'large';

/** Columns and lines of a square. */
const CELL_SIZES = {
  compact: { columns: 1, lines: 1 },
  normal: { columns: 2, lines: 1 },
  large: { columns: 4, lines: 2 },
} as const;

/** The tint of each mark and its opacity; a square with several marks shows the first one in this list. */
const TINTS: readonly (readonly [SquareMark, string, number])[] = [
  ['center', '#0b3d1f', 0.9],
  ['piece', '#15803d', 0.55],
  ['threat', '#d11a1a', 0.6],
  ['after', '#0ea5e9', 0.55],
  ['before', '#0ea5e9', 0.25],
  ['ring', '#7c3aed', 0.4],
];
const DESTINATION = '#06401c';
/** The background of a destination with a piece, which the move captures or comes from. */
const OCCUPIED_DESTINATION = '#4ade80';
const CAPTURED = '#b91c1c';

/** The tint of a mark on a fill, as the legend shows it. */
export function tintOf(mark: SquareMark, fill: string): string {
  const tint = TINTS.find(([name]) => name === mark);
  return tint === undefined ? fill : blend(fill, tint[1], tint[2]);
}

function backgroundOf({ fill, marks, piece }: DrawnSquare): string {
  const tint = TINTS.find(([mark]) => marks.includes(mark));
  if (marks.includes('destination') && piece !== undefined) return OCCUPIED_DESTINATION;
  return tint === undefined ? fill : blend(fill, tint[1], tint[2]);
}

/** The signs of a square: one for small squares, two lines for large ones. */
interface Glyph {
  readonly sign: string;
  readonly ascii: string;
  readonly large: readonly [string, string];
}

const PIECE_GLYPHS: Readonly<Record<DrawnPiece['shape'], Glyph>> = {
  disc: { sign: '●', ascii: 'O', large: ['▗██▖', ' ▀▀ '] },
  triangle: { sign: '▲', ascii: 'T', large: [' ▟▙ ', '▀▀▀▀'] },
  square: { sign: '■', ascii: 'S', large: ['▐██▌', '▝▀▀▘'] },
};
const DESTINATION_GLYPH: Glyph = { sign: '•', ascii: '*', large: [' ▗▖ ', ' ▝▘ '] };
const CAPTURED_GLYPH: Glyph = { sign: '×', ascii: '+', large: [' ╲╱ ', ' ╱╲ '] };
const EMPTY_GLYPH: Glyph = { sign: '·', ascii: '.', large: ['    ', '    '] };

/** The glyph of a square and its colour. */
function glyphOf(
  { piece, marks, fill, isOutside }: DrawnSquare,
  drawing: BoardDrawing,
): readonly [Glyph, string] {
  if (piece !== undefined) return [PIECE_GLYPHS[piece.shape], drawing.pieceFills[piece.player]];
  if (marks.includes('destination')) return [DESTINATION_GLYPH, DESTINATION];
  if (marks.includes('captured')) return [CAPTURED_GLYPH, CAPTURED];
  if (drawing.holeFill !== undefined) return [PIECE_GLYPHS.disc, drawing.holeFill];
  return [EMPTY_GLYPH, isOutside === true ? fill : blend(fill, '#000000', 0.3)];
}

function squareLines(
  square: DrawnSquare,
  drawing: BoardDrawing,
  scale: BoardScale,
  { depth, isUnicode }: TerminalFacts,
): readonly string[] {
  const [glyph, foreground] = glyphOf(square, drawing);
  const ink = { foreground, background: backgroundOf(square) };
  const sign = isUnicode ? glyph.sign : glyph.ascii;
  const shown = sign === EMPTY_GLYPH.sign && square.isOutside === true ? ' ' : sign;
  const texts = scale === 'large' ? glyph.large : [scale === 'compact' ? shown : `${shown} `];
  return texts.map((text) => inkText(text, ink, depth));
}

/** Columns and lines that a board takes at a scale, names of rows and columns included. */
export function boardSize(
  { columnNames, rowNames }: BoardDrawing,
  scale: BoardScale,
): { readonly columns: number; readonly lines: number } {
  const { columns, lines } = CELL_SIZES[scale];
  const margin = marginOf(rowNames);
  return { columns: 2 * margin + columnNames.length * columns, lines: rowNames.length * lines + 2 };
}

/** Columns of the names beside the board. */
function marginOf(rowNames: readonly string[]): number {
  return Math.max(...rowNames.map(({ length }) => length)) + 1;
}

/**
 * The board as lines of a terminal with colours, with the names of columns above and below and of rows at both sides.
 */
export function paintBoard(
  drawing: BoardDrawing,
  scale: BoardScale,
  facts: TerminalFacts,
): readonly string[] {
  const { columnNames, rowNames, rows } = drawing;
  const { columns } = CELL_SIZES[scale];
  const margin = marginOf(rowNames);
  const label = (text: string): string => inkText(text, { dim: true }, facts.depth);
  const names = columnNames.map((name) => (columns > 2 ? ` ${name}` : name).padEnd(columns)).join('');
  const header = label(`${' '.repeat(margin)}${names}${' '.repeat(margin)}`);
  const body = rows.flatMap((row, index) => {
    const cells = row.map((square) => squareLines(square, drawing, scale, facts));
    return cells[0]!.map((_, line) => {
      const name = line === 0 ? rowNames[index]! : '';
      const left = label(`${name.padStart(margin - 1)} `);
      return `${left}${cells.map((texts) => texts[line]!).join('')}${label(` ${name.padEnd(margin - 1)}`)}`;
    });
  });
  return [header, ...body, header];
}
