import type { BoardDrawing, DrawnSquare } from '../diagrams/board-drawing.js';
import type { Player } from '../game.js';
import { COLUMNS, type ConnectFourState, ROWS } from './connect-four-position.js';

const FILLS = { board: '#2458a6', stones: ['#e02b20', '#f2c018'], hole: '#10204a' } as const;

/** The board as squares, the last stone marked. */
export function drawConnectFour(state: ConnectFourState): BoardDrawing {
  const last = state.historyLength === 0 ? undefined : state.history[state.historyLength - 1]!;
  const squareAt = (row: number, column: number): DrawnSquare => {
    const stone = state.cells[row * COLUMNS + column]!;
    const isLast = last === column && row === state.heights[column]! - 1;
    return {
      ...(stone > 0 && { piece: { player: (stone - 1) as Player, shape: 'disc' } }),
      fill: FILLS.board,
      marks: isLast ? ['after'] : [],
    };
  };
  const columns = Array.from({ length: COLUMNS }, (_, column) => column);
  return {
    columnNames: columns.map(String),
    rowNames: Array<string>(ROWS).fill(''),
    rows: Array.from({ length: ROWS }, (_, index) =>
      columns.map((column) => squareAt(ROWS - 1 - index, column)),
    ),
    pieceFills: FILLS.stones,
    holeFill: FILLS.hole,
    notes: [],
  };
}
