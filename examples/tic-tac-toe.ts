/**
 * A game from outside the package: its rules as a `Game`, and its definition for `--game` and `registerGame`.
 *
 *   npm run build && npx gess show --game dist/examples/tic-tac-toe.js
 *   npx gess train --game dist/examples/tic-tac-toe.js --out runs/tic-tac-toe --set generations=1
 */
import type { GameDefinition } from 'gess-zero/env/definition/game-definition';
import { type EncodingDescription, numberPlanes } from 'gess-zero/env/encoding';
import { NotationError } from 'gess-zero/env/errors';
import { type Game, opponentOf, type Outcome, type Player, type Symmetry } from 'gess-zero/env/game';

const SIZE = 3;
const NUM_CELLS = SIZE * SIZE;
/** The letter of a cell: 0 empty, else the player plus 1. */
const LETTERS = '.xo';
const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
] as const;

/** A position with the moves that led to it. */
interface State {
  /** `[9]` row by row from the top. */
  readonly cells: Uint8Array;
  /** `[9]` the cells that were played, the first `historyLength` of them. */
  readonly history: Uint8Array;
  historyLength: number;
  ply: number;
}

function stateOf(cells: Uint8Array): State {
  const ply = cells.filter((cell) => cell !== 0).length;
  const lead = cells.filter((cell) => cell === 1).length - cells.filter((cell) => cell === 2).length;
  const state = { cells, history: new Uint8Array(NUM_CELLS), historyLength: 0, ply };
  const isReached = cells.every((cell) => cell <= 2) && lead === (ply & 1);
  if (!isReached || hasLine(cells, currentPlayer(state))) {
    throw new NotationError('position-turn', 'expected a position that play leads to');
  }
  return state;
}

function currentPlayer({ ply }: State): Player {
  return ply % 2 === 0 ? 0 : 1;
}

function hasLine(cells: Uint8Array, player: Player): boolean {
  return LINES.some((line) => line.every((cell) => cells[cell] === player + 1));
}

function outcome(state: State): Outcome | null {
  if (hasLine(state.cells, 0)) return 1;
  if (hasLine(state.cells, 1)) return -1;
  return state.ply === NUM_CELLS ? 0 : null;
}

function legalActions(state: State, out: Int32Array): number {
  let count = 0;
  if (outcome(state) !== null) return count;
  for (let cell = 0; cell < NUM_CELLS; cell++) if (state.cells[cell] === 0) out[count++] = cell;
  return count;
}

/** Base 3: no two positions share it. */
function hash({ cells }: State): number {
  return cells.reduce((sum, cell) => sum * 3 + cell, 0);
}

function formatRows({ cells }: State, separator: string): string {
  const letters = Array.from(cells, (cell) => LETTERS.charAt(cell)).join('');
  return [letters.slice(0, 3), letters.slice(3, 6), letters.slice(6)].join(separator);
}

/** The eight symmetries of the square. */
const SYMMETRIES: readonly Symmetry[] = Array.from({ length: 8 }, (_, number) => {
  const squares = Uint16Array.from({ length: NUM_CELLS }, (_cell, cell) => {
    const row = Math.floor(cell / SIZE);
    const column = cell % SIZE;
    const [a, b] = number & 4 ? [column, row] : [row, column];
    return (number & 1 ? SIZE - 1 - a : a) * SIZE + (number & 2 ? SIZE - 1 - b : b);
  });
  return { name: number === 0 ? 'identity' : `symmetry ${number}`, squares, policyIndices: squares };
});

/** The planes of the network input, `[3, 3, 2]`: row, column, plane, planes fastest. */
const PLANE_TEXTS = { ownMarks: 'own marks', opponentMarks: "the opponent's marks" };
const PLANE = numberPlanes(PLANE_TEXTS);
const NUM_PLANES = Object.keys(PLANE_TEXTS).length;

const ENCODING: EncodingDescription = {
  planes: Object.values(PLANE_TEXTS),
  orientation: 'Own means of the player to move. Row 0 is the top, column 0 the left.',
  policy: 'index = the cell, 0-8, row by row from the top.',
  holders: { own: [PLANE.ownMarks], opponent: [PLANE.opponentMarks] },
};

/** Tic-tac-toe. An action is a cell, 0 to 8, row by row from the top. */
const ticTacToe: Game<State> = {
  id: 'tic-tac-toe',
  rules: 'standard',
  rulesVersion: 1,
  encodingVersion: 1,
  playerNames: ['cross', 'nought'],
  numActions: NUM_CELLS,
  maxLegalActions: NUM_CELLS,
  encoding: ENCODING,
  observationShape: [SIZE, SIZE, NUM_PLANES],
  policyShape: [SIZE, SIZE, 1],
  plyLimit: NUM_CELLS,
  symmetries: SYMMETRIES,
  packedSize: NUM_CELLS,
  initialState: () => stateOf(new Uint8Array(NUM_CELLS)),
  clone: (state) => ({ ...state, cells: state.cells.slice(), history: state.history.slice() }),
  currentPlayer,
  ply: (state) => state.ply,
  outcome,
  legalActions,
  countLegalActions: (state) => (outcome(state) === null ? NUM_CELLS - state.ply : 0),
  isLegal: (state, action) => outcome(state) === null && state.cells[action] === 0,
  apply: (state, action) => {
    state.cells[action] = currentPlayer(state) + 1;
    state.history[state.historyLength++] = action;
    state.ply += 1;
  },
  undo: (state) => {
    state.cells[state.history[--state.historyLength]!] = 0;
    state.ply -= 1;
  },
  historyLength: (state) => state.historyLength,
  historyAction: (state, index) => state.history[index]!,
  hash,
  observationHash: hash,
  observe: (state, out, offset, viewer = currentPlayer(state)) => {
    state.cells.forEach((cell, index) => {
      const at = offset + index * NUM_PLANES;
      out[at + PLANE.ownMarks] = cell === viewer + 1 ? 1 : 0;
      out[at + PLANE.opponentMarks] = cell === opponentOf(viewer) + 1 ? 1 : 0;
    });
  },
  policyIndex: (_player, action) => action,
  actionOfPolicyIndex: (_player, index) => index,
  pack: (state, out, offset) => {
    out.set(state.cells, offset);
  },
  unpack: (bytes, offset, state) => {
    const { cells, ply } = stateOf(bytes.slice(offset, offset + NUM_CELLS));
    state.cells.set(cells);
    Object.assign(state, { ply, historyLength: 0 });
  },
  parsePosition: (text) => {
    if (!/^[.xo]{3}\/[.xo]{3}\/[.xo]{3}$/.test(text.trim())) {
      throw new NotationError(
        'position-syntax',
        `expected rows of x, o and . such as .../.x./..o, got '${text}'`,
      );
    }
    return stateOf(Uint8Array.from(text.trim().replaceAll('/', ''), (letter) => LETTERS.indexOf(letter)));
  },
  formatPosition: (state) => formatRows(state, '/'),
  parseAction: (text) => {
    if (!/^[0-8]$/.test(text))
      throw new NotationError('action-syntax', `expected a cell 0 to 8, got '${text}'`);
    return Number(text);
  },
  formatAction: String,
  render: (state) => formatRows(state, '\n'),
};

/** The value of a line that only one player can still complete, by that player's marks on it. */
const LINE_VALUES = [0, 1, 4] as const;

function valueToMover(state: State): number {
  const mover = currentPlayer(state);
  let value = 0;
  for (const line of LINES) {
    const own = line.filter((cell) => state.cells[cell] === mover + 1).length;
    const other = line.filter((cell) => state.cells[cell] === opponentOf(mover) + 1).length;
    if (other === 0) value += LINE_VALUES[own as 0 | 1 | 2];
    else if (own === 0) value -= LINE_VALUES[other as 0 | 1 | 2];
  }
  return value;
}

const definition: GameDefinition<State> = {
  id: ticTacToe.id,
  create: ({ rules }) => {
    if (rules === 'default' || rules === ticTacToe.rules) return ticTacToe;
    throw new NotationError('rules-unknown', `expected rules '${ticTacToe.rules}', got '${rules}'`);
  },
  environments: { 'example/TicTacToe-v0': {} },
  evaluations: { default: () => ({ evaluate: valueToMover, promise: () => 0, scale: 4 }) },
};
export default definition;
