import { faultsIn, type PlantedFault } from './planted-fault.js';

const board = faultsIn('env/quess/quess-board.ts', [
  {
    name: 'a piece takes one of its own shape',
    rule: 'Q2.2',
    find: 'return ownerOf(mover) !== ownerOf(there) && shapeOf(mover) !== shapeOf(there);',
    replace: 'return ownerOf(mover) !== ownerOf(there);',
  },
  {
    name: 'a piece takes one of its own side',
    rule: 'Q2.2',
    find: 'return ownerOf(mover) !== ownerOf(there) && shapeOf(mover) !== shapeOf(there);',
    replace: 'return shapeOf(mover) !== shapeOf(there);',
  },
  {
    name: 'a circle goes three squares and one across',
    rule: 'Q2.4',
    find: '  [2, 1],\n',
    replace: '  [3, 1],\n',
  },
  {
    name: "the corner of light's zone is missing",
    rule: 'Q1.3',
    find: '0b000001_000011_000111',
    replace: '0b000001_000011_000110',
  },
  {
    name: "dark's zone has an extra square",
    rule: 'Q1.3',
    find: '0b111000_110000_100000',
    replace: '0b111000_111000_100000',
  },
]);

const generation = faultsIn('env/quess/quess-move-generation.ts', [
  {
    name: 'a triangle goes up to five squares',
    rule: 'Q2.3',
    find: 'const stride = isCircle ? 1 : MAX_DISTANCE;',
    replace: 'const stride = isCircle ? 1 : 1;',
  },
  {
    name: 'isLegal lets a triangle go up to five squares',
    rule: 'Q2.3',
    find: 'return plane < FIRST_HOP && plane % MAX_DISTANCE === 0;',
    replace: 'return plane < FIRST_HOP;',
  },
  {
    name: 'circles and triangles capture nothing',
    rule: 'Q2.2',
    find: 'if (target !== OFF_BOARD && mayTake(mover, cells[target]!)) out[count++] = action;',
    replace: 'if (target !== OFF_BOARD && cells[target] === EMPTY) out[count++] = action;',
  },
  {
    name: 'isLegal lets a circle move like a triangle',
    rule: 'Q2.4',
    find: 'return plane >= FIRST_HOP;',
    replace: 'return plane >= FIRST_HOP || plane % MAX_DISTANCE === 0;',
  },
  {
    name: 'a square slides over pieces',
    rule: 'Q2.5',
    find: '      if (there !== EMPTY) break;\n',
    replace: '',
  },
  {
    name: 'a square slides four squares at most',
    rule: 'Q2.5',
    find: 'for (let action = first; action < first + MAX_DISTANCE; action++) {\n      const end = TARGETS',
    replace:
      'for (let action = first; action < first + MAX_DISTANCE - 1; action++) {\n      const end = TARGETS',
  },
  {
    name: 'isLegal lets a square slide over pieces',
    rule: 'Q2.5',
    find: 'return plane < FIRST_HOP && isWayFree(position, action);',
    replace: 'return plane < FIRST_HOP;',
  },
  {
    name: 'superko bars nothing from the list of moves',
    rule: 'Q3.1',
    find: 'if (!mayBar(position)) return count;\n  let left',
    replace: 'if (count >= 0) return count;\n  let left',
  },
  {
    name: 'a player with only moves that superko bars has not lost',
    rule: 'Q4.2',
    find: 'if (!mayBar(position)) return count > 0;',
    replace: 'if (count >= 0) return count > 0;',
  },
]);

const superko = faultsIn('env/quess/superko.ts', [
  {
    name: 'no board bars a move',
    rule: 'Q3.1',
    find: '      return index;\n',
    replace: '      return NO_RECORD;\n',
  },
  {
    name: 'the starting board may recur',
    rule: 'Q3.1',
    find: 'index >= firstAlike;',
    replace: 'index > firstAlike;',
  },
  {
    name: 'only boards with the same player to move are barred',
    rule: 'Q3.1',
    find: 'isBoardAfter(position, record, start, end)\n',
    replace: 'isBoardAfter(position, record, start, end) && ((position.historyLength - index) & 1) === 1\n',
  },
  {
    name: 'boards with the same hash count as the same board',
    rule: 'Q3.3',
    find: ' &&\n      isBoardAfter(position, record, start, end)\n',
    replace: '\n',
  },
  {
    name: 'a board may recur after four moves',
    rule: 'Q3.1',
    find: 'const FEWEST_MOVES = 3;',
    replace: 'const FEWEST_MOVES = 4;',
  },
]);

const moves = faultsIn('env/quess/quess-moves.ts', [
  {
    name: 'every move makes superko forget earlier boards',
    rule: 'Q3.1',
    find: 'if (isCapture) position.firstAlike',
    replace: 'position.firstAlike',
  },
  {
    name: 'undo leaves a board in the memory of superko',
    rule: 'Q3.1',
    find: '  position.chains[chainOf(position.hashLow)] = records[record + RECORD_NEXT]!;\n',
    replace: '',
  },
  {
    name: 'undo of a capture does not restore the earlier boards of superko',
    rule: 'Q3.1',
    find: '  position.firstAlike = records[record + RECORD_FIRST_ALIKE]!;\n',
    replace: '',
  },
  {
    name: 'undo does not put the captured piece back',
    rule: 'Q2.2',
    find: 'setPiece(position, end, records[record + RECORD_CAPTURED]!);',
    replace: 'setPiece(position, end, EMPTY);',
  },
  {
    name: "undo does not restore light's time",
    rule: 'Q6.4',
    find: '  clocks[0] = records[record + RECORD_CLOCKS]!;\n',
    replace: '',
  },
  {
    name: 'undo restores the time spent since, but not the time of the move',
    rule: 'Q6.4',
    find: 'player === 0 ? position.turnClock : clocks[0]!;',
    replace: 'clocks[0]!;',
  },
  {
    name: 'undo does not take the end of the game back',
    rule: 'Q4.1',
    find: '  position.outcome = wordToOutcome(records[record + RECORD_OUTCOME]!);\n',
    replace: '',
  },
]);

const ending = faultsIn('env/quess/ending.ts', [
  {
    name: 'one piece in the zone wins',
    rule: 'Q4.1',
    find: 'const PIECES_THAT_WIN = 2;',
    replace: 'const PIECES_THAT_WIN = 1;',
  },
  {
    name: 'two pieces in the zone do not win',
    rule: 'Q4.1',
    find: 'const PIECES_THAT_WIN = 2;',
    replace: 'const PIECES_THAT_WIN = 3;',
  },
  {
    name: "two pieces in the zone win on the opponent's move too",
    rule: 'Q4.4',
    find: '  if (!hasMove(position)) return',
    replace: `  if (countInZone(position, position.player) >= PIECES_THAT_WIN) return winFor(position.player);
  if (!hasMove(position)) return`,
  },
  {
    name: 'a player without a move has not lost',
    rule: 'Q4.2',
    find: '  if (!hasMove(position)) return winFor(mover);\n',
    replace: '',
  },
  {
    name: 'a player without a move has won',
    rule: 'Q4.2',
    find: '  if (!hasMove(position)) return winFor(mover);',
    replace: '  if (!hasMove(position)) return winFor(position.player);',
  },
  // The draw of Q5.1 before Q4.2 has no fault, as no game shows the difference: a last piece has a move
  // unless superko bars it, and after the capture that left one piece a side no earlier board has these
  // pieces.
  {
    name: 'one piece against any number is a draw',
    rule: 'Q5.1',
    find: '!== 1 || countPieces(position, 1) !== 1',
    replace: '!== 1 && countPieces(position, 1) !== 1',
  },
  {
    name: 'one piece a side is not a draw',
    rule: 'Q5.1',
    find: 'if (countPieces(position, 0) !== 1 ||',
    replace: 'if (countPieces(position, 0) !== 0 ||',
  },
  {
    name: 'clocks do not decide the draw',
    rule: 'Q6.3',
    find: 'return Math.sign(position.clocks[0]! - position.clocks[1]!) as Outcome;',
    replace: 'return 0;',
  },
  {
    name: 'the draw goes to the player with less time left',
    rule: 'Q6.3',
    find: 'Math.sign(position.clocks[0]! - position.clocks[1]!)',
    replace: 'Math.sign(position.clocks[1]! - position.clocks[0]!)',
  },
  {
    name: 'a parsed position without time left is unfinished',
    rule: 'Q6.2',
    find: 'position.isTimed ? (position.clocks.indexOf(0) as Player | -1) : -1',
    replace: 'position.isTimed ? position.clocks.indexOf(-1) : -1',
  },
]);

const clock = faultsIn('env/quess/clock.ts', [
  {
    name: 'a player without time left has not lost',
    rule: 'Q6.2',
    find: '  if (left === 0) position.outcome',
    replace: '  if (left < 0) position.outcome',
  },
  {
    name: 'a player without time left has won',
    rule: 'Q6.2',
    find: 'position.outcome = winFor(opponentOf(player));',
    replace: 'position.outcome = winFor(player);',
  },
  {
    name: "time is taken off the opponent's clock",
    rule: 'Q6.1',
    find: '  clocks[player] = left;',
    replace: '  clocks[1 - player] = left;',
  },
  {
    name: 'time is taken off a clock after the end of the game',
    rule: 'Q6.2',
    find: '  if (position.outcome !== null) return;\n',
    replace: '',
  },
]);

const hash = faultsIn('env/quess/quess-position.ts', [
  {
    name: 'the hash does not depend on the player to move',
    rule: 'Q2.1',
    find: 'const isDark = position.player === 1;',
    replace: 'const isDark = position.historyLength < 0;',
  },
]);

/** Faults of Quess. */
export const QUESS_FAULTS: readonly PlantedFault[] = [
  ...board,
  ...generation,
  ...superko,
  ...moves,
  ...ending,
  ...clock,
  ...hash,
];
