import type { Symmetry } from '../game.js';
import {
  COLUMN_STEPS,
  directionOf,
  encodeAction,
  MAX_DISTANCE,
  NUM_ACTIONS,
  NUM_DIRECTIONS,
  ROW_STEPS,
  rowOf,
  SIZE,
  startSquare,
} from './gess-board.js';

/** A symmetry of the square: rows and columns, relative to the middle, change sign or are swapped. */
interface Reflection {
  readonly name: string;
  readonly rowSign: 1 | -1;
  readonly columnSign: 1 | -1;
  /** Applied after the signs. */
  readonly transposed: boolean;
}

const REFLECTIONS: readonly Reflection[] = [
  { name: 'identity', rowSign: 1, columnSign: 1, transposed: false },
  { name: 'mirror-files', rowSign: 1, columnSign: -1, transposed: false },
  { name: 'mirror-ranks', rowSign: -1, columnSign: 1, transposed: false },
  { name: 'rotate-180', rowSign: -1, columnSign: -1, transposed: false },
  { name: 'transpose', rowSign: 1, columnSign: 1, transposed: true },
  { name: 'rotate-270', rowSign: 1, columnSign: -1, transposed: true },
  { name: 'rotate-90', rowSign: -1, columnSign: 1, transposed: true },
  { name: 'anti-transpose', rowSign: -1, columnSign: -1, transposed: true },
];

function reflect({ rowSign, columnSign, transposed }: Reflection, square: number): number {
  const row = rowOf(square);
  const column = square % SIZE;
  const newRow = rowSign === 1 ? row : SIZE - 1 - row;
  const newColumn = columnSign === 1 ? column : SIZE - 1 - column;
  return transposed ? newColumn * SIZE + newRow : newRow * SIZE + newColumn;
}

function reflectDirection({ rowSign, columnSign, transposed }: Reflection, direction: number): number {
  const rowStep = rowSign * ROW_STEPS[direction]!;
  const columnStep = columnSign * COLUMN_STEPS[direction]!;
  const [rows, columns] = transposed ? [columnStep, rowStep] : [rowStep, columnStep];
  for (let other = 0; other < NUM_DIRECTIONS; other++) {
    if (ROW_STEPS[other] === rows && COLUMN_STEPS[other] === columns) return other;
  }
  throw new RangeError(`no direction of steps ${rows}, ${columns}`);
}

function createSymmetry(reflection: Reflection): Symmetry {
  const squares = Uint16Array.from({ length: SIZE * SIZE }, (_, square) => reflect(reflection, square));
  const directions = Array.from({ length: NUM_DIRECTIONS }, (_, d) => reflectDirection(reflection, d));
  const policyIndices = new Uint16Array(NUM_ACTIONS);
  for (let index = 0; index < NUM_ACTIONS; index += MAX_DISTANCE) {
    const square = squares[startSquare(index)]!;
    const direction = directions[directionOf(index)]!;
    const image = encodeAction(rowOf(square), square % SIZE, direction, 1);
    for (let step = 0; step < MAX_DISTANCE; step++) policyIndices[index + step] = image + step;
  }
  // Black's side is at rank 1, so it stays at its edge only if ranks are kept.
  const turnsSides = reflection.transposed || reflection.rowSign === -1;
  return { name: reflection.name, squares, policyIndices, turnsSides };
}

let symmetries: readonly Symmetry[] | undefined;

/** All eight symmetries of the square, the identity first. Created at the first call, 0.9 MB. */
export function gessSymmetries(): readonly Symmetry[] {
  symmetries ??= REFLECTIONS.map(createSymmetry);
  return symmetries;
}
