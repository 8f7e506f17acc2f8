import type { DiagramOptions, Game, Symmetry } from '../game.js';
import { formatRows, parseAction, parsePosition } from './connect-four-notation.js';
import {
  apply,
  clone,
  COLUMNS,
  type ConnectFourState,
  countLegalActions,
  currentPlayer,
  emptyState,
  hash,
  isLegal,
  legalActions,
  NUM_CELLS,
  ROWS,
  setColumns,
  undo,
} from './connect-four-position.js';
import { renderSvg } from './connect-four-svg.js';

/** Own stones, the opponent's, and a plane of ones that shows a convolution where the board ends. */
const NUM_PLANES = 3;
/** Planes, fastest: 0 own stones, 1 the opponent's, 2 ones. */
function observe(
  state: ConnectFourState,
  out: Float32Array,
  offset: number,
  viewer = currentPlayer(state),
): void {
  const own = viewer + 1;
  for (let cell = 0; cell < NUM_CELLS; cell++) {
    const stone = state.cells[cell]!;
    const at = offset + cell * NUM_PLANES;
    out[at] = stone === own ? 1 : 0;
    out[at + 1] = stone === 3 - own ? 1 : 0;
    out[at + 2] = 1;
  }
}

const COLUMN_NUMBERS = [0, 1, 2, 3, 4, 5, 6];

const SYMMETRIES: readonly Symmetry[] = [
  {
    name: 'identity',
    squares: Uint16Array.from({ length: NUM_CELLS }, (_, cell) => cell),
    policyIndices: Uint16Array.from(COLUMN_NUMBERS),
  },
  {
    name: 'mirror',
    squares: Uint16Array.from({ length: NUM_CELLS }, (_, cell) => cell - 2 * (cell % COLUMNS) + COLUMNS - 1),
    policyIndices: Uint16Array.from(COLUMN_NUMBERS).reverse(),
  },
];

function render(state: ConnectFourState, { paint }: DiagramOptions = {}): string {
  const rows = formatRows(state, '\n');
  const painted =
    paint === undefined
      ? rows
      : rows.replace(/[ry]/g, (stone) => paint(stone === 'r' ? 'first' : 'second', stone));
  return `${painted}\n${COLUMN_NUMBERS.join('')}`;
}

/**
 * Connect Four, 7 columns by 6 rows: the small, solved game of tests and comparisons, and the example of
 * how to add a game. An action is a column, 0..6; its text is the digit. A position's text is its rows from
 * the top down, joined by `/`. `pack` writes the seven columns' codes.
 */
export const connectFour: Game<ConnectFourState> = {
  id: 'connect-four',
  rules: 'standard',
  rulesVersion: 1,
  encodingVersion: 1,
  playerNames: ['red', 'yellow'],
  numActions: COLUMNS,
  maxLegalActions: COLUMNS,
  observationShape: [ROWS, COLUMNS, NUM_PLANES],
  policyShape: [1, COLUMNS, 1],
  plyLimit: NUM_CELLS,
  symmetries: SYMMETRIES,
  packedSize: COLUMNS,
  initialState: emptyState,
  clone,
  currentPlayer,
  ply: (state) => state.ply,
  outcome: (state) => state.outcome,
  legalActions,
  countLegalActions,
  isLegal,
  apply,
  undo,
  historyLength: (state) => state.historyLength,
  historyAction: (state, index) => state.history[index]!,
  hash,
  observationHash: hash,
  observe,
  policyIndex: (_player, action) => action,
  actionOfPolicyIndex: (_player, index) => index,
  pack: (state, out, offset) => {
    out.set(state.columns, offset);
  },
  unpack: (bytes, offset, state) => {
    setColumns(state, bytes.slice(offset, offset + COLUMNS));
  },
  parsePosition,
  formatPosition: (state) => formatRows(state, '/'),
  parseAction,
  formatAction: String,
  explainIllegal: () => 'goes to a full column',
  render,
  renderSvg,
};
