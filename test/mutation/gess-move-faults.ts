import { faultsIn, type PlantedFault } from './planted-fault.js';

const generation = faultsIn('env/gess/gess-move-generation.ts', [
  {
    name: 'a piece with a centre stone goes 3 squares at most',
    rule: '2.2',
    find: '? MAX_DISTANCE : SHORT_DISTANCE;\n      const rays',
    replace: '? SHORT_DISTANCE : SHORT_DISTANCE;\n      const rays',
  },
  {
    name: 'a piece without a centre stone goes any distance',
    rule: '2.2',
    find: '? MAX_DISTANCE : SHORT_DISTANCE;\n      const rays',
    replace: '? MAX_DISTANCE : MAX_DISTANCE;\n      const rays',
  },
  {
    name: 'isLegal lets a piece without a centre stone go any distance',
    rule: '2.2',
    find: '? MAX_DISTANCE : SHORT_DISTANCE;\n  const room',
    replace: '? MAX_DISTANCE : MAX_DISTANCE;\n  const room',
  },
  {
    name: 'a stone in the west lets a piece go east',
    rule: '2.2',
    find: '(here & 4) |',
    replace: '((here << 2) & 4) |',
  },
  {
    name: 'no piece goes north-west',
    rule: '2.2',
    find: ' |\n    ((above << 7) & 128)',
    replace: '',
  },
  {
    name: 'the stone next to the centre in the south counts for the south-east',
    rule: '2.2',
    find: '((below << 1) & 8) |',
    replace: '((below << 2) & 8) |',
  },
  {
    name: 'a move ends a step late',
    rule: '2.3',
    find: 'if ((rowTaken | columnTaken) !== 0) return distance;',
    replace: 'if ((rowTaken | columnTaken) !== 0) return distance + 1;',
  },
  {
    name: 'a move ends a step early',
    rule: '2.3',
    find: 'if ((rowTaken | columnTaken) !== 0) return distance;',
    replace: 'if ((rowTaken | columnTaken) !== 0) return Math.max(1, distance - 1);',
  },
  {
    name: 'a diagonal move ends only when both its front row and its front column are taken',
    rule: '2.3',
    find: 'if ((rowTaken | columnTaken) !== 0) return distance;',
    replace:
      'if ((rowTest & columnTest) !== 0 ? rowTaken & columnTaken : rowTaken | columnTaken) return distance;',
  },
  {
    name: 'a diagonal move checks only its front column',
    rule: '2.3',
    find: 'const rowTest = GOES_UP_OR_DOWN[direction]!;',
    replace: 'const rowTest = GOES_UP_OR_DOWN[direction]! & ~GOES_SIDEWAYS[direction]!;',
  },
  {
    name: 'a diagonal move checks only its front row',
    rule: '2.3',
    find: 'const columnTest = GOES_SIDEWAYS[direction]!;',
    replace: 'const columnTest = GOES_SIDEWAYS[direction]! & ~GOES_UP_OR_DOWN[direction]!;',
  },
  {
    name: 'suicide is listed where it is illegal',
    rule: '2.8',
    find: 'const kept = suicideIsIllegal ? dropSuicides',
    replace: "const kept = suicideIsIllegal && ko !== 'none' ? dropSuicides",
  },
  {
    name: 'isLegal allows suicide where it is illegal',
    rule: '2.8',
    find: 'if (movement.suicideIsIllegal && !keepsRing(position, action)) return false;',
    replace: '',
  },
  {
    name: "a move that covers the mover's last ring only at its end is not treated as suicide",
    rule: '2.8',
    find: 'if (!meets(row, column, ring) && !meets(endRow, endColumn, ring)) return true;',
    replace: 'if (!meets(row, column, ring)) return true;',
  },
  {
    name: 'a move that only touches the last ring from below or above is not treated as suicide',
    rule: '2.8',
    find: 'return Math.abs(row - ringRow) <= 2 &&',
    replace: 'return Math.abs(row - ringRow) <= 1 &&',
  },
  {
    name: 'moves are listed after the end of the game',
    rule: '3.3',
    find: 'if (position.outcome !== null) return 0;\n  return dropForbidden',
    replace: 'return dropForbidden',
  },
  {
    name: 'moves that a ko rule bars are listed',
    rule: '4.6',
    find: 'return mayRestoreBoard(position, ko) ? dropBarred(position, ko, out, kept) : kept;',
    replace: 'return kept;',
  },
  {
    name: 'moves that a ko rule bars are counted',
    rule: '4.6',
    find: 'if (!movement.isCountable || mayRestoreBoard(position, movement.ko)) {',
    replace: 'if (!movement.isCountable) {',
  },
  {
    name: 'isLegal allows moves that a ko rule bars',
    rule: '4.6',
    find: "return movement.ko === 'none' || findRestoredBoard(position, action, movement.ko) === NO_BOARD;",
    replace: 'return true;',
  },
  {
    name: 'a player without a legal move has not lost',
    rule: '3.6',
    find: 'if (listLegalMoves(position, movement, out) === 0) position.outcome',
    replace: 'if (listLegalMoves(position, movement, out) < 0) position.outcome',
  },
  {
    name: 'a player without a legal move has won',
    rule: '4.7',
    find: 'position.outcome = position.player === 0 ? -1 : 1;',
    replace: 'position.outcome = position.player === 0 ? 1 : -1;',
  },
]);

const counting = faultsIn('env/gess/move-counting.ts', [
  {
    name: 'bulk counting stops a piece without a centre stone after two squares up or down',
    rule: '2.2',
    find: 'straight3 = straight2 & open;',
    replace: 'straight3 = straight1 & open;',
  },
  {
    name: 'bulk counting checks only the front row on the diagonals to the left',
    rule: '2.3',
    find: 'const openLeft = open & ~(columnsHere << 1);',
    replace: 'const openLeft = open;',
  },
  {
    name: 'bulk counting lets the third step to the right pass stones',
    rule: '2.3',
    find: 'const right3 = (right2 << 1) & open;',
    replace: 'const right3 = (right2 << 1) & end;',
  },
  {
    name: 'bulk counting omits long slides to the left',
    rule: '2.2',
    find: '    slideLeft |= (slideLeft >> 8) & run;\n',
    replace: '',
  },
  {
    name: 'bulk counting lets slides sideways end off the grid under all rules',
    rule: '2.7',
    find: 'const open = ~masks.columns[index]! & end;',
    replace: 'const open = ~masks.columns[index]! & 0xfffff;',
  },
]);

/**
 * Faults of listing and counting moves: sections 1, 2 and 5 of docs/reference/rules.md, and the use of the rules of
 * section 4.
 */
export const GESS_MOVE_FAULTS: readonly PlantedFault[] = [...generation, ...counting];
