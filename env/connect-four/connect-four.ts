import { turnCaption } from '../diagrams/turn-caption.js';
import { type EncodingDescription, numberPlanes } from '../encoding.js';
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
import { drawConnectFour } from './connect-four-drawing.js';
import { renderSvg } from './connect-four-svg.js';

/** The planes of the network input, `[6, 7, 3]`: row, column, plane, planes fastest. */
const PLANE_TEXTS = {
  ownStones: 'own stones',
  opponentStones: "the opponent's stones",
  // Lets a convolution detect the edge of the board.
  ones: 'ones',
};

const PLANE = numberPlanes(PLANE_TEXTS);
const NUM_PLANES = Object.keys(PLANE_TEXTS).length;
// Module constants, as `observe` reads them for every cell.
const OWN_STONES = PLANE.ownStones;
const OPPONENT_STONES = PLANE.opponentStones;
const ONES = PLANE.ones;

const ENCODING: EncodingDescription = {
  planes: Object.values(PLANE_TEXTS),
  orientation: 'Own means of the player to move. Row 0 is the bottom, column 0 the left.',
  policy: 'index = the column that a stone is dropped into, 0-6.',
  holders: { own: [OWN_STONES], opponent: [OPPONENT_STONES] },
};

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
    out[at + OWN_STONES] = stone === own ? 1 : 0;
    out[at + OPPONENT_STONES] = stone === 3 - own ? 1 : 0;
    out[at + ONES] = 1;
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

const PLAYER_NAMES = ['red', 'yellow'] as const;

function render(state: ConnectFourState, { paint }: DiagramOptions = {}): string {
  const rows = formatRows(state, '\n');
  const painted =
    paint === undefined
      ? rows
      : rows.replace(/[ry]/g, (stone) => paint(stone === 'r' ? 'first' : 'second', stone));
  const { ply, outcome, history, historyLength } = state;
  const lastMove = historyLength === 0 ? null : String(history[historyLength - 1]!);
  const caption = turnCaption({ ply, outcome, player: currentPlayer(state) }, PLAYER_NAMES, lastMove);
  return `${painted}\n${COLUMN_NUMBERS.join('')}\n\n${caption}`;
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
  playerNames: PLAYER_NAMES,
  numActions: COLUMNS,
  maxLegalActions: COLUMNS,
  encoding: ENCODING,
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
  draw: drawConnectFour,
  explainIllegal: () => 'goes to a full column',
  explainOutcome: ({ outcome }) => (outcome === 0 ? 'the board is full' : 'four stones in a row'),
  render,
  renderSvg,
};
