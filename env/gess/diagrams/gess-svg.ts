import { svgDocument, svgElement, svgText } from '../../diagrams/svg.js';
import { SIZE } from '../gess-board.js';
import { type Diagram, stoneOn } from './gess-diagram.js';
import { fileName } from '../move-notation.js';

/** Side of a square, in SVG units. */
const CELL = 30;
/** Margin for the names of files and ranks. */
const MARGIN = 24;
const BOARD = SIZE * CELL;
const CAPTION_LINE = 22;

const COLORS = {
  outside: '#f4e7c8',
  wood: '#e3b968',
  line: '#6f5324',
  label: '#57534e',
  lastMove: '#1d5fa8',
  piece: '#15803d',
  ring: '#c2270f',
};

/**
 * The left edge of a column, 0 to 20; the board is square, so also the top edge of a row counted from the
 * top.
 */
function left(column: number): number {
  return MARGIN + column * CELL;
}

function topOf(row: number): number {
  return MARGIN + (SIZE - 1 - row) * CELL;
}

function middle(square: number): { readonly cx: number; readonly cy: number } {
  return {
    cx: left(square % SIZE) + CELL / 2,
    cy: topOf(Math.floor(square / SIZE)) + CELL / 2,
  };
}

/** The nineteen lines of a Go board and, fainter, the squares around it. */
function drawBoard(): string[] {
  const start = left(1);
  const end = left(SIZE - 1);
  const lines = Array.from({ length: SIZE - 1 }, (_, i) => {
    const at = left(i + 1);
    return `M${at} ${start}V${end}M${start} ${at}H${end}`;
  });
  const outer = Array.from({ length: SIZE - 1 }, (_, i) => {
    const at = left(i + 1);
    const [near, far] = [left(0), left(SIZE)];
    return `M${at} ${near}V${start}M${at} ${end}V${far}M${near} ${at}H${start}M${end} ${at}H${far}`;
  });
  const square = { x: MARGIN, y: MARGIN, width: BOARD, height: BOARD };
  const wood = { x: start, y: start, width: end - start, height: end - start };
  return [
    svgElement('rect', {
      ...square,
      rx: 4,
      fill: COLORS.outside,
      stroke: COLORS.line,
      'stroke-opacity': 0.4,
    }),
    svgElement('rect', { ...wood, fill: COLORS.wood }),
    svgElement('path', { d: outer.join(''), stroke: COLORS.line, 'stroke-opacity': 0.16 }),
    svgElement('path', { d: lines.join(''), stroke: COLORS.line, 'stroke-opacity': 0.75 }),
    svgElement('rect', { ...wood, fill: 'none', stroke: COLORS.line, 'stroke-width': 2 }),
  ];
}

function drawLabels(): string {
  const labels: string[] = [];
  for (let i = 0; i < SIZE; i++) {
    const { cx } = middle(i);
    const { cy } = middle(i * SIZE);
    for (const y of [MARGIN / 2, MARGIN * 1.5 + BOARD])
      labels.push(svgText(fileName(i), { x: cx, y: y + 4 }));
    for (const x of [MARGIN / 2, MARGIN * 1.5 + BOARD]) {
      labels.push(svgText(String(i + 1), { x, y: cy + 4 }));
    }
  }
  return svgElement('g', { 'font-size': 12, fill: COLORS.label, 'text-anchor': 'middle' }, labels.join(''));
}

/** A footprint, clipped to the 20 x 20 squares. */
function drawFootprint(square: number, attributes: Readonly<Record<string, string | number>>): string {
  const [row, column] = [Math.floor(square / SIZE), square % SIZE];
  const [firstColumn, lastColumn] = [Math.max(0, column - 1), Math.min(SIZE - 1, column + 1)];
  const [firstRow, lastRow] = [Math.max(0, row - 1), Math.min(SIZE - 1, row + 1)];
  return svgElement('rect', {
    x: left(firstColumn),
    y: topOf(lastRow),
    width: (lastColumn - firstColumn + 1) * CELL,
    height: (lastRow - firstRow + 1) * CELL,
    rx: 5,
    ...attributes,
  });
}

function stoneGradient(id: string, light: string, dark: string): string {
  return svgElement(
    'radialGradient',
    { id, cx: 0.38, cy: 0.32, r: 0.75 },
    svgElement('stop', { offset: 0, 'stop-color': light }),
    svgElement('stop', { offset: 1, 'stop-color': dark }),
  );
}

/** The stones of both colours and their shadows. */
function drawStones({ position }: Diagram): string[] {
  const circles: [string[], string[]] = [[], []];
  const shadows: string[] = [];
  for (let square = 0; square < SIZE * SIZE; square++) {
    const stone = stoneOn(position, square);
    if (stone === null) continue;
    const { cx, cy } = middle(square);
    circles[stone].push(svgElement('circle', { cx, cy, r: 12.5 }));
    shadows.push(svgElement('circle', { cx: cx + 1, cy: cy + 1.5, r: 12.5 }));
  }
  return [
    svgElement(
      'defs',
      {},
      stoneGradient('gess-black', '#6b6b6b', '#0c0c0c'),
      stoneGradient('gess-white', '#ffffff', '#cfcdc6'),
    ),
    svgElement('g', { 'fill-opacity': 0.25 }, ...shadows),
    svgElement('g', { fill: 'url(#gess-black)' }, ...circles[0]),
    svgElement('g', { fill: 'url(#gess-white)', stroke: '#8a8577', 'stroke-width': 0.6 }, ...circles[1]),
  ];
}

/** Marks under the stones: footprints before and after the last move, and that of the chosen piece. */
function drawFootprints({ lastMove, piece }: Diagram): string[] {
  const move = { stroke: COLORS.lastMove, 'stroke-width': 2, fill: COLORS.lastMove };
  const marks: string[] = [];
  if (lastMove !== null) {
    marks.push(
      drawFootprint(lastMove.start, { ...move, 'fill-opacity': 0.08, 'stroke-dasharray': '5 4' }),
      drawFootprint(lastMove.end, { ...move, 'fill-opacity': 0.22 }),
    );
  }
  if (piece !== null) {
    const { piece: color } = COLORS;
    marks.push(
      drawFootprint(piece.square, { stroke: color, 'stroke-width': 3, fill: color, 'fill-opacity': 0.2 }),
    );
  }
  return marks;
}

/** Marks over the stones: centres of rings and destinations of the chosen piece. */
function drawMarks({ rings, piece }: Diagram): string[] {
  const ringMarks = rings.map((square) =>
    svgElement('circle', { ...middle(square), r: 7, fill: 'none', stroke: COLORS.ring, 'stroke-width': 3 }),
  );
  const destinations = (piece?.destinations ?? []).map((square) =>
    svgElement('circle', { ...middle(square), r: 6 }),
  );
  if (destinations.length === 0) return ringMarks;
  const look = { fill: COLORS.piece, stroke: '#fff', 'stroke-width': 1.5 };
  return [...ringMarks, svgElement('g', look, ...destinations)];
}

/** The board as an SVG document: a Go board with stones in its squares, the squares around it, and captions. */
export function renderSvgDiagram(diagram: Diagram): string {
  const width = BOARD + 2 * MARGIN;
  const captions = diagram.captions.map((caption, i) =>
    svgText(caption.charAt(0).toUpperCase() + caption.slice(1), {
      x: MARGIN,
      y: width + 16 + i * CAPTION_LINE,
      'font-size': 15,
      fill: '#292524',
    }),
  );
  const height = width + captions.length * CAPTION_LINE + 8;
  return svgDocument({ width, height, title: `Gess: ${diagram.captions.join('; ')}` }, [
    ...drawBoard(),
    drawLabels(),
    ...drawFootprints(diagram),
    ...drawStones(diagram),
    ...drawMarks(diagram),
    ...captions,
  ]);
}
