import { connectFour } from '../../../../env/connect-four/connect-four.js';
import type { ConnectFourState } from '../../../../env/connect-four/connect-four-position.js';
import { EMPTY_COLUMN } from '../../../../env/connect-four/connect-four-position.js';
import type { FindingCode } from '../../../../env/environments/conformance/codes.js';
import { checkGame, checkPlaythrough } from '../../../../env/environments/conformance/conformance.js';
import type { ConformanceReport } from '../../../../env/environments/conformance/finding.js';
import { formatPlaythrough } from '../../../../env/environments/conformance/playthrough.js';
import type { Game } from '../../../../env/game.js';

/** A subject with one fault, and the only code that must be found. */
export interface Broken {
  readonly fault: string;
  readonly code: FindingCode;
  readonly check: () => ConformanceReport;
}

type Faults = Partial<Game<ConnectFourState>>;

/** Connect Four without the middle column: consistent in itself. */
const withoutMiddle: Faults = {
  legalActions: (state, out) => {
    const count = connectFour.legalActions(state, out);
    const kept = out.slice(0, count).filter((column) => column !== 3);
    out.set(kept);
    return kept.length;
  },
  countLegalActions: (state) =>
    connectFour.countLegalActions(state) - (connectFour.isLegal(state, 3) ? 1 : 0),
  isLegal: (state, action) => action !== 3 && connectFour.isLegal(state, action),
};

const [identity, mirror] = [connectFour.symmetries[0]!, connectFour.symmetries[1]!];

/** Small changes of Connect Four, one fault each. */
const FAULTS: readonly (readonly [string, FindingCode, Faults])[] = [
  ['the policy has too few planes', 'game-facts', { policyShape: [1, 6, 1] }],
  [
    'a plane has no text',
    'game-facts',
    { encoding: { ...connectFour.encoding, planes: ['own', 'other', ''] } },
  ],
  [
    'a plane holds the pieces of both sides',
    'game-facts',
    { encoding: { ...connectFour.encoding, holders: { own: [0], opponent: [0] } } },
  ],
  ['the initial state has a stone', 'game-start', { initialState: () => startWithStone() }],
  ['a move adds two plies', 'game-turns', { ply: (state) => 2 * state.ply }],
  [
    'actions are not in order',
    'game-actions',
    {
      legalActions: (state, out) => {
        const count = connectFour.legalActions(state, out);
        out.subarray(0, count).reverse();
        return count;
      },
    },
  ],
  ['full columns are legal', 'game-legality', { isLegal: (_state, action) => action >= 0 && action < 7 }],
  [
    'the outcome of a win is 2',
    'game-outcome',
    { outcome: ({ outcome }) => (outcome === 1 ? (2 as 1) : outcome) },
  ],
  [
    'undo leaves a byte',
    'game-undo',
    {
      undo: (state) => {
        const cells = state.cells.slice();
        connectFour.undo(state);
        state.cells.set(cells);
      },
    },
  ],
  ['clones share the board', 'game-clone', { clone: (state) => ({ ...state }) }],
  [
    'clones lose the history',
    'game-clone',
    { clone: (state) => ({ ...connectFour.clone(state), historyLength: 0 }) },
  ],
  ['the hash depends on history', 'game-hash', { hash: (state) => state.historyLength }],
  ['hashes have fractions', 'game-hash', { observationHash: (state) => connectFour.hash(state) / 7 }],
  [
    'the rows of a text are read backwards',
    'game-position-text',
    { parsePosition: (text) => connectFour.parsePosition(text.split('/').map(reverse).join('/')) },
  ],
  ['columns are counted from 1', 'game-action-text', { formatAction: (action) => String((action + 1) % 7) }],
  [
    'packed bytes have no stones',
    'game-packing',
    {
      pack: (_state, out, offset) => {
        out.fill(EMPTY_COLUMN, offset, offset + 7);
      },
    },
  ],
  [
    'packing ignores the offset',
    'game-packing',
    {
      pack: (state, out) => {
        out.set(state.columns);
      },
      packedSize: 7,
    },
  ],
  [
    'unpacking keeps the old history',
    'game-packing',
    {
      unpack: (bytes, offset, state) => {
        const { historyLength } = state;
        connectFour.unpack(bytes, offset, state);
        state.historyLength = historyLength;
      },
    },
  ],
  [
    'a plane holds the ply',
    'game-observation-range',
    {
      observe: (state, out, offset, viewer) => {
        connectFour.observe(state, out, offset, viewer);
        out[offset + 2] = state.ply;
      },
    },
  ],
  [
    'a plane is not written where it is 0',
    'game-observation-partial',
    {
      observe: (state, out, offset, viewer = connectFour.currentPlayer(state)) => {
        const planes = new Float32Array(126);
        connectFour.observe(state, planes, 0, viewer);
        planes.forEach((value, index) => {
          if (value !== 0) out[offset + index] = value;
        });
      },
    },
  ],
  [
    'the view is always that of the first player',
    'game-observation-viewer',
    {
      observe: (state, out, offset, viewer = 0) => {
        connectFour.observe(state, out, offset, viewer);
      },
    },
  ],
  ['policy indices overlap', 'game-policy-index', { policyIndex: () => 0 }],
  [
    'the mirror maps all squares to one',
    'game-symmetry-permutation',
    { symmetries: [identity, { ...mirror, squares: new Uint16Array(42) }] },
  ],
  [
    'the mirror does not map actions',
    'game-symmetry',
    { symmetries: [identity, { ...mirror, policyIndices: identity.policyIndices }] },
  ],
  ['a column cannot be played', 'game-perft', withoutMiddle],
  ['the diagram is empty', 'game-render-empty', { render: () => '' }],
  ['the SVG is text', 'game-render-empty', { renderSvg: (state) => connectFour.render(state) }],
  [
    'a diagram passes the turn',
    'game-render-changes',
    {
      render: (state) => {
        state.ply += 1;
        return connectFour.render(state);
      },
    },
  ],
  [
    'texts of actions cannot be parsed',
    'threw',
    {
      parseAction: () => {
        throw new TypeError('not a column');
      },
    },
  ],
];

function startWithStone(): ConnectFourState {
  const state = connectFour.initialState();
  connectFour.apply(state, 3);
  return connectFour.parsePosition(connectFour.formatPosition(state));
}

function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}

const OPTIONS = { steps: 34, episodes: 3, perft: [{ depth: 2, nodes: 49 }] };

/** Games with one fault each. */
export const BROKEN_GAMES: readonly Broken[] = [
  ...FAULTS.map(([fault, code, faults]) => ({
    fault,
    code,
    check: () =>
      checkGame({ ...connectFour, ...faults }, code === 'game-start' ? { ...OPTIONS, perft: [] } : OPTIONS),
  })),
  {
    fault: 'a column that was legal in the recording is illegal',
    code: 'game-playthrough',
    check: () => checkPlaythrough({ ...connectFour, ...withoutMiddle }, formatPlaythrough(connectFour)),
  },
];
