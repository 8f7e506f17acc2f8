import type { DiagramOptions } from '../game.js';
import { svgDocument, svgElement, svgText } from '../diagrams/svg.js';
import {
  CIRCLE,
  EMPTY,
  isInZone,
  NUM_SQUARES,
  ownerOf,
  type Piece,
  shapeOf,
  SIZE,
  TRIANGLE,
} from './quess-board.js';
import { captionsOf, findMarks, type Marks } from './quess-diagram.js';
import type { QuessPosition } from './quess-position.js';

/** Side of a square, in SVG units. */
const CELL = 60;
/** Margin for the names of rows and columns. */
const MARGIN = 28;
const BOARD = SIZE * CELL;
const WIDTH = BOARD + 2 * MARGIN;
const CAPTION_LINE = 22;

const COLORS = {
  square: '#fbf8f1',
  line: '#b9ab90',
  label: '#57534e',
  caption: '#292524',
  lastMove: '#1d5fa8',
  piece: '#15803d',
};
/** Fills of the starting zones of light and dark. */
const ZONE_FILLS = ['#f6e3b4', '#cfdbe8'] as const;
const PIECE_PAINTS = [
  { fill: '#fffdf6', stroke: '#8a6d1f', 'stroke-width': 3, 'stroke-linejoin': 'round' },
  { fill: '#2f4358', stroke: '#16212d', 'stroke-width': 3, 'stroke-linejoin': 'round' },
] as const;

/** The middle of a square: row A is at the top. */
function middle(square: number): { readonly cx: number; readonly cy: number } {
  const row = Math.floor(square / SIZE);
  return { cx: MARGIN + ((square % SIZE) + 0.5) * CELL, cy: MARGIN + (SIZE - 0.5 - row) * CELL };
}

/** A box of this width around the middle of `square`. */
function box(square: number, width: number): Readonly<Record<string, number>> {
  const { cx, cy } = middle(square);
  return { x: cx - width / 2, y: cy - width / 2, width, height: width };
}

function drawSquare(square: number): string {
  const fill = isInZone(0, square) ? ZONE_FILLS[0] : isInZone(1, square) ? ZONE_FILLS[1] : COLORS.square;
  return svgElement('rect', { ...box(square, CELL), fill, stroke: COLORS.line });
}

function drawPiece(piece: Piece, square: number): string[] {
  if (piece === EMPTY) return [];
  const { cx, cy } = middle(square);
  const paint = PIECE_PAINTS[ownerOf(piece)];
  switch (shapeOf(piece)) {
    case TRIANGLE:
      return [svgElement('path', { d: `M${cx} ${cy - 19}L${cx + 20} ${cy + 16}H${cx - 20}Z`, ...paint })];
    case CIRCLE:
      return [svgElement('circle', { cx, cy, r: 18, ...paint })];
    default:
      return [svgElement('rect', { ...box(square, 33), ...paint })];
  }
}

/** Frames around the last move's squares and the chosen piece, dots on its destinations. */
function drawMarks({ lastMove, piece, destinations }: Marks): string[] {
  const frame = { fill: 'none', 'stroke-width': 3 };
  const dot = { r: 7, fill: COLORS.piece, stroke: '#fff', 'stroke-width': 2 };
  return [
    ...lastMove.map((square) =>
      svgElement('rect', { ...box(square, 54), ...frame, stroke: COLORS.lastMove }),
    ),
    ...(piece === undefined
      ? []
      : [svgElement('rect', { ...box(piece, 54), ...frame, stroke: COLORS.piece })]),
    ...destinations.map((square) => svgElement('circle', { ...middle(square), ...dot })),
  ];
}

function drawLabels(): string {
  const labels: string[] = [];
  for (let i = 0; i < SIZE; i++) {
    const { cx, cy } = middle(i * SIZE + i);
    for (const at of [MARGIN / 2, MARGIN * 1.5 + BOARD]) {
      labels.push(
        svgText(String(i + 1), { x: cx, y: at + 5 }),
        svgText('FEDCBA'.charAt(i), { x: at, y: cy + 5 }),
      );
    }
  }
  return svgElement('g', { 'font-size': 14, fill: COLORS.label, 'text-anchor': 'middle' }, ...labels);
}

/**
 * The board as an SVG document: starting zones tinted, the last move framed, dots on the chosen piece's
 * destinations.
 *
 * @throws NotationError `action-syntax` if `piece` is not a square.
 */
export function renderSvgPosition(position: QuessPosition, options?: DiagramOptions): string {
  const marks = findMarks(position, options);
  const captions = captionsOf(position);
  const squares = Array.from({ length: NUM_SQUARES }, (_, square) => square);
  const height = WIDTH + captions.length * CAPTION_LINE + 8;
  return svgDocument({ width: WIDTH, height, title: `Quess: ${captions.join('; ')}` }, [
    ...squares.map(drawSquare),
    drawLabels(),
    ...squares.flatMap((square) => drawPiece(position.cells[square]!, square)),
    ...drawMarks(marks),
    ...captions.map((caption, i) =>
      svgText(caption.charAt(0).toUpperCase() + caption.slice(1), {
        x: MARGIN,
        y: WIDTH + 14 + i * CAPTION_LINE,
        'font-size': 14,
        fill: COLORS.caption,
      }),
    ),
  ]);
}
