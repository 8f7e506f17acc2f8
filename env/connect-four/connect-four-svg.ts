import { svgDocument, svgElement, svgText } from '../diagrams/svg.js';
import { COLUMNS, type ConnectFourState, currentPlayer, NUM_CELLS, ROWS } from './connect-four-position.js';

/** Side of a square, in SVG units. */
const CELL = 50;
const MARGIN = 12;
/** Fills of an empty hole and of the players' stones. */
const FILLS = ['#fff', '#d1352b', '#f2c018'];

function captionOf(state: ConnectFourState): string {
  if (state.outcome === 0) return 'A draw';
  if (state.outcome !== null) return `${state.outcome === 1 ? 'Red' : 'Yellow'} has won`;
  return `Ply ${state.ply}, ${currentPlayer(state) === 0 ? 'red' : 'yellow'} to move`;
}

/** The board as an SVG document: columns are numbered, the last stone has a dot. */
export function renderSvg(state: ConnectFourState): string {
  const middle = (i: number): number => MARGIN + (i + 0.5) * CELL;
  const lastColumn = state.historyLength === 0 ? -1 : state.history[state.historyLength - 1]!;
  const lastCell = lastColumn < 0 ? -1 : (state.heights[lastColumn]! - 1) * COLUMNS + lastColumn;
  const marks: string[] = [];
  const holes = Array.from({ length: NUM_CELLS }, (_, cell) => {
    const place = { cx: middle(cell % COLUMNS), cy: middle(ROWS - 1 - Math.floor(cell / COLUMNS)) };
    if (cell === lastCell) marks.push(svgElement('circle', { ...place, r: 6, fill: '#292524' }));
    return svgElement('circle', { ...place, r: 20, fill: FILLS[state.cells[cell]!]! });
  });
  const width = COLUMNS * CELL + 2 * MARGIN;
  const bottom = ROWS * CELL + 2 * MARGIN;
  const board = { x: MARGIN / 2, y: MARGIN / 2, width: width - MARGIN, height: bottom - MARGIN, rx: 10 };
  const numbers = Array.from({ length: COLUMNS }, (_, column) =>
    svgText(String(column), { x: middle(column), y: bottom + 12, 'text-anchor': 'middle', 'font-size': 14 }),
  );
  const caption = captionOf(state);
  return svgDocument({ width, height: bottom + 46, title: `Connect Four: ${caption}` }, [
    svgElement('rect', { ...board, fill: '#2458a6' }),
    svgElement('g', {}, ...holes, ...marks),
    svgElement('g', { fill: '#57534e' }, ...numbers),
    svgText(caption, { x: MARGIN, y: bottom + 36, 'font-size': 15, fill: '#292524' }),
  ]);
}
