import fc from 'fast-check';
import { FUZZED_GAMES, moveLists } from '../games/fuzzed-games.js';

/** Words of the lines of `gess engine`. */
export const ENGINE_WORDS = [
  ...['uci', 'isready', 'ucinewgame', 'stop', 'd', 'go', 'position', 'setoption', '\n', ' ', '\t'],
  ...[' name ', ' value ', ' moves ', 'start', 'startpos', ' infinite', ' depth ', ' nodes ', ' movetime '],
  ...['Game', 'Rules', 'Agent', 'MultiPV', 'Seed', 'quess', 'gess', 'connect-four', 'standard,clock=180'],
  ...['random', 'alphabeta:depth=1', 'mcts:simulations=2', 'policy:model=/dev/zero', '64', '65', '3 3 3'],
];

const agents = fc.constantFrom(
  'random',
  'greedy',
  'careful',
  'alphabeta:depth=1',
  'mcts:simulations=4,rollouts=1',
);
const limits = fc.constantFrom(
  '',
  ' depth 1',
  ' nodes 50',
  ' simulations 5',
  ' infinite',
  ' movetime 1',
  ' depth 64',
);
const positions = fc
  .constantFrom(...FUZZED_GAMES)
  .chain(({ id, positions: texts }) =>
    fc.tuple(fc.oneof(fc.constant('start'), texts), fc.oneof(fc.constant(''), moveLists(id))),
  );

/** Lines to `gess engine`, mostly sound ones. */
export const engineLines = fc.oneof(
  fc.constantFrom('uci', 'isready', 'ucinewgame', 'stop', 'd'),
  limits.map((text) => `go${text}`),
  positions.map(([text, moves]) => `position ${text}${moves === '' ? '' : ` moves ${moves}`}`),
  agents.map((text) => `setoption name Agent value ${text}`),
  fc.constantFrom('gess', 'quess', 'connect-four').map((id) => `setoption name Game value ${id}`),
  fc.constantFrom('setoption name MultiPV value 3', 'setoption name Seed value 7'),
);
