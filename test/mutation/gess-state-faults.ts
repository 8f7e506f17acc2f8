import { faultsIn, type PlantedFault } from './planted-fault.js';

const moves = faultsIn('env/gess/gess-moves.ts', [
  {
    name: "the opponent's stones are taken only where a stone of the piece lands",
    rule: '2.3',
    find: 'const captured = other[index]! & endColumns;',
    replace: 'const captured = other[index]! & shifted;',
  },
  {
    name: "the opponent's stones are not taken",
    rule: '2.3',
    find: 'const captured = other[index]! & endColumns;',
    replace: 'const captured = 0;',
  },
  {
    name: 'own stones under the footprint are spared',
    rule: '2.3',
    find: 'const ownChange = (own[index]! & endColumns) ^ shifted;',
    replace: 'const ownChange = shifted & ~own[index]!;',
  },
  {
    name: 'own stones are taken only where a stone of the piece does not land',
    rule: '2.3',
    find: 'const ownChange = (own[index]! & endColumns) ^ shifted;',
    replace: 'const ownChange = shifted;',
  },
  {
    name: 'a capture reaches one column too far',
    rule: '2.3',
    find: 'const endColumns = footprintColumns(column + columnShift);',
    replace:
      'const endColumns = footprintColumns(column + columnShift) | footprintColumns(column + columnShift + 1);',
  },
  {
    name: 'stones that end off the grid are kept',
    rule: '2.4',
    find: '& BOARD_ROWS[index]!;',
    replace: '& 0xfffff;',
  },
  {
    name: 'a stone that ends on rank 2 or 19, file b or s is lost',
    rule: '2.4',
    find: '& BOARD_ROWS[index]!;',
    replace: '& (BOARD_ROWS[index]! & (BOARD_ROWS[index]! << 1) & (BOARD_ROWS[index]! >> 1));',
  },
  {
    name: "the opponent's ring, broken by a move, is still counted",
    rule: '3.3',
    find: '  refreshRing(position, 0);\n  refreshRing(position, 1);\n',
    replace: '  refreshRing(position, player);\n',
  },
  {
    name: "the mover's own ring, broken by a move, is still counted",
    rule: '3.2',
    find: '  refreshRing(position, 0);\n  refreshRing(position, 1);\n',
    replace: '  refreshRing(position, opponentOf(player));\n',
  },
  {
    name: 'the hash that a move updates does not change the player',
    rule: '4.6',
    find: 'let low = position.hashLow ^ PLAYER_HASH_LOW;',
    replace: 'let low = position.hashLow;',
  },
  {
    name: 'the hash that a move updates keeps captured stones',
    rule: '2.3',
    find: '      low ^= lowBits(keys, captured);\n',
    replace: '',
  },
  {
    name: 'undo does not put captured stones back',
    rule: '2.3',
    find: '    other[end - 1 + i] = records[record + RECORD_END + 3 + i]!;\n',
    replace: '',
  },
  {
    name: 'undo does not put the piece back',
    rule: '2.3',
    find: '    own[start - 1 + i] = records[record + RECORD_START + i]!;\n',
    replace: '',
  },
  {
    name: 'undo leaves the piece where it went',
    rule: '2.3',
    find: '    own[end - 1 + i] = records[record + RECORD_END + i]!;\n',
    replace: '',
  },
  {
    name: "undo does not bring White's ring back",
    rule: '3.1',
    find: '  position.rings[1] = records[record + RECORD_RINGS + 1]!;\n',
    replace: '',
  },
  {
    name: 'undo does not take the end of the game back',
    rule: '3.3',
    find: '  position.outcome = outcomeAfter(position.rings, opponent);\n',
    replace: '',
  },
  {
    name: 'undo does not restore the hash',
    rule: '4.6',
    find: '  position.hashHigh = records[record + RECORD_HASH_HIGH]!;\n',
    replace: '',
  },
  {
    name: 'undo does not restore the turn',
    rule: '1.2',
    find: '  position.player = player;\n  const records',
    replace: '  const records',
  },
]);

const position = faultsIn('env/gess/gess-position.ts', [
  {
    name: 'a move that breaks the last rings of both sides wins',
    rule: '3.2',
    find: `  if (rings[mover] === NO_RING) return mover === 0 ? -1 : 1;
  if (rings[opponentOf(mover)] === NO_RING) return mover === 0 ? 1 : -1;`,
    replace: `  if (rings[opponentOf(mover)] === NO_RING) return mover === 0 ? 1 : -1;
  if (rings[mover] === NO_RING) return mover === 0 ? -1 : 1;`,
  },
  {
    name: 'a move that breaks the last rings of both sides draws',
    rule: '3.4',
    find: '  if (rings[mover] === NO_RING) return',
    replace:
      '  if (rings[0] === NO_RING && rings[1] === NO_RING) return 0;\n  if (rings[mover] === NO_RING) return',
  },
  {
    name: 'a player who breaks their own last ring has not lost',
    rule: '3.2',
    find: '  if (rings[mover] === NO_RING) return mover === 0 ? -1 : 1;\n',
    replace: '',
  },
  {
    name: "a player who breaks the opponent's last ring has not won",
    rule: '3.3',
    find: '  if (rings[opponentOf(mover)] === NO_RING) return mover === 0 ? 1 : -1;\n',
    replace: '',
  },
  {
    name: 'a player who loses one of several rings has none left',
    rule: '3.1',
    find: 'position.rings[player] = findRing(own, other);',
    replace: 'position.rings[player] = NO_RING;',
  },
  {
    name: 'the outcome of a parsed position is computed as if the player to move had just moved',
    rule: '3.5',
    find: 'position.outcome = outcomeAfter(position.rings, opponentOf(position.player));',
    replace: 'position.outcome = outcomeAfter(position.rings, position.player);',
  },
  {
    name: 'a parsed position does not start a new history',
    rule: '3.5',
    find: '  position.historyLength = 0;\n',
    replace: '',
  },
]);

const rings = faultsIn('env/gess/rings.ts', [
  {
    name: 'a known ring counts with an own stone in its centre',
    rule: '3.1',
    find: 'const sides = (row << 1) & (row >> 1) & ~row & ~other[index]!;',
    replace: 'const sides = (row << 1) & (row >> 1) & ~other[index]!;',
  },
  {
    name: "a known ring counts with an opponent's stone in its centre",
    rule: '3.1',
    find: 'const sides = (row << 1) & (row >> 1) & ~row & ~other[index]!;',
    replace: 'const sides = (row << 1) & (row >> 1) & ~row;',
  },
  {
    name: 'a searched ring counts with an own stone in its centre',
    rule: '3.1',
    find: 'middles & (row << 1) & (row >> 1) & ~row & ~other[index]!;',
    replace: 'middles & (row << 1) & (row >> 1) & ~other[index]!;',
  },
  {
    name: "a searched ring counts with an opponent's stone in its centre",
    rule: '3.1',
    find: 'middles & (row << 1) & (row >> 1) & ~row & ~other[index]!;',
    replace: 'middles & (row << 1) & (row >> 1) & ~row;',
  },
  {
    name: 'stones without two corners make a ring',
    rule: '3.1',
    find: 'return row & (row << 1) & (row >> 1);',
    replace: 'return row & (row << 1);',
  },
  {
    name: 'squares of files a and t, off the grid, count as stones of a ring',
    rule: '3.1',
    find: `  const row = own[index]!;
  const sides = (row << 1) & (row >> 1) & ~row & ~other[index]!;
  return sides & middleOfThree(own[index - 1]!) & middleOfThree(own[index + 1]!);`,
    replace: `  const row = own[index]! | 0x80001;
  const sides = (row << 1) & (row >> 1) & ~row & ~other[index]!;
  return sides & middleOfThree(own[index - 1]! | 0x80001) & middleOfThree(own[index + 1]! | 0x80001);`,
  },
  {
    name: 'no ring is found around rank 18',
    rule: '3.1',
    find: 'index < SIZE - 1; index++',
    replace: 'index < SIZE - 2; index++',
  },
  {
    name: 'only the first of the rings on one rank is listed',
    rule: '3.1',
    find: 'columns !== 0; columns &= columns - 1',
    replace: 'columns !== 0; columns = 0',
  },
]);

const ko = faultsIn('env/gess/ko.ts', [
  {
    name: 'superko forgets the first board of the game',
    rule: '4.6',
    find: "return ko === 'superko' ? 0 :",
    replace: "return ko === 'superko' ? 1 :",
  },
  {
    name: 'superko checks only the board of two plies ago',
    rule: '4.6',
    find: "return ko === 'superko' ? 0 :",
    replace: "return ko === 'superko' ? Math.max(0, length - 2) :",
  },
  {
    name: 'superko checks only boards with the same player to move',
    rule: '4.6',
    find: `index = historyLength - 1;
    found === NO_BOARD && index >= oldestBoard(historyLength, ko);
    index--`,
    replace: `index = historyLength - 2;
    found === NO_BOARD && index >= oldestBoard(historyLength, ko);
    index -= 2`,
  },
  {
    name: 'superko checks only boards with the other player to move',
    rule: '4.6',
    find: `found === NO_BOARD && index >= oldestBoard(historyLength, ko);
    index--`,
    replace: `found === NO_BOARD && index >= oldestBoard(historyLength, ko);
    index -= 2`,
  },
  {
    name: 'boards with the same hash count as the same board',
    rule: '4.6',
    find: 'if (hasHash && hasBoardAt(position, index)) found = index;',
    replace: 'if (hasHash) found = index;',
  },
  {
    name: "a move may repeat only boards with the mover's current stones",
    rule: '4.6',
    find: 'if (isRewound(position, opponent)) return true;',
    replace: 'if (isRewound(position, position.player)) return true;',
  },
  {
    name: 'simple ko forbids nothing at all',
    rule: '4.5',
    find: 'Math.max(0, length - 2)',
    replace: 'Math.max(0, length)',
  },
  {
    name: 'simple ko also forbids older boards',
    rule: '4.5',
    find: 'Math.max(0, length - 2)',
    replace: 'Math.max(0, length - 4)',
  },
]);

const hash = faultsIn('env/gess/board-hash.ts', [
  {
    name: 'the hash does not depend on the player to move',
    rule: '1.2',
    find: 'HASH_LOW = 0x5bd1e995;\n/** As `PLAYER_HASH_LOW`, for the high word. */\nexport const PLAYER_HASH_HIGH = 0x1b873593;',
    replace: 'HASH_LOW = 0;\nexport const PLAYER_HASH_HIGH = 0;',
  },
  {
    name: 'the hash does not distinguish black from white stones',
    rule: '1.2',
    find: 'return (color * PADDED_ROWS + index) * 2 * HALF_ROWS;',
    replace: 'return (color * 0 + index) * 2 * HALF_ROWS;',
  },
]);

/** Faults of the board and all that depends on it: captures, ends, repetition, undo and hash. */
export const GESS_STATE_FAULTS: readonly PlantedFault[] = [...moves, ...position, ...rings, ...ko, ...hash];
