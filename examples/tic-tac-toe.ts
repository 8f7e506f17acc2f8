/**
 * A game of one's own: its rules behind `Game`, an id for `make`, the conformance kit over both, and a match of
 * the tree search against random play.
 *
 *   npm run build && node dist/examples/tic-tac-toe.js [games] [seed]
 */
import { createAgent } from 'gess-zero/agents/create-agent';
import { assertConforms, checkGame, checkTurnEnvironment } from 'gess-zero/env/conformance';
import { make } from 'gess-zero/env/environments/make';
import { register } from 'gess-zero/env/environments/registry';
import { NotationError } from 'gess-zero/env/errors';
import type { Game, Outcome, Player, Symmetry } from 'gess-zero/env/game';
import { createRng } from 'gess-zero/env/random';

const SIZE = 3;
const NUM_CELLS = SIZE * SIZE;
/** Of a cell: 0 empty, else the player plus 1. */
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

/** Tic-tac-toe. An action is a cell, 0 to 8, row by row from the top. Planes: own marks, the opponent's. */
const ticTacToe: Game<State> = {
  id: 'tic-tac-toe',
  rules: 'standard',
  rulesVersion: 1,
  encodingVersion: 1,
  playerNames: ['cross', 'nought'],
  numActions: NUM_CELLS,
  maxLegalActions: NUM_CELLS,
  encoding: {
    planes: ['own marks', "the opponent's marks"],
    orientation: 'Own means of the player to move. Row 0 is the top, column 0 the left.',
    policy: 'index = the cell, 0-8, row by row from the top.',
    holders: { own: [0], opponent: [1] },
  },
  observationShape: [SIZE, SIZE, 2],
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
  observe: ({ cells, ply }, out, offset, viewer = ply % 2 === 0 ? 0 : 1) => {
    cells.forEach((cell, index) => {
      out[offset + 2 * index] = cell === viewer + 1 ? 1 : 0;
      out[offset + 2 * index + 1] = cell === 2 - viewer ? 1 : 0;
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

register('example/TicTacToe-v0', { createGame: () => ticTacToe });
assertConforms(checkGame(ticTacToe));
assertConforms(checkTurnEnvironment(() => make('example/TicTacToe')));
console.log('tic-tac-toe conforms');

const [games = 20, seed = 1] = process.argv.slice(2).map(Number);
const mcts = await createAgent('mcts:simulations=200', ticTacToe);
const random = await createAgent('random', ticTacToe);
const results = { won: 0, drawn: 0, lost: 0 };
for (let game = 0; game < games; game++) {
  const rng = createRng(seed, 'match', game);
  // They take turns in moving first.
  const agents = game % 2 === 0 ? [mcts, random] : [random, mcts];
  const state = ticTacToe.initialState();
  while (outcome(state) === null) {
    const [choice] = await agents[currentPlayer(state)]!.chooseAll([{ state, rng }]);
    ticTacToe.apply(state, choice!.action);
  }
  const toMcts = outcome(state)! * (game % 2 === 0 ? 1 : -1);
  results[toMcts > 0 ? 'won' : toMcts < 0 ? 'lost' : 'drawn'] += 1;
}
console.log(`mcts against random: ${results.won} won, ${results.drawn} drawn, ${results.lost} lost`);
