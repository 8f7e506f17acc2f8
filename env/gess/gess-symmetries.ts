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

/** A symmetry that makes its tables, 116 KB, when they are first read: most programs use two of the eight. */
class GessSymmetry implements Symmetry {
  readonly name: string;
  readonly turnsSides: boolean;
  private readonly reflection: Reflection;
  private squareTable: Uint16Array | undefined;
  private policyTable: Uint16Array | undefined;

  constructor(reflection: Reflection) {
    this.reflection = reflection;
    this.name = reflection.name;
    // Black's side is at rank 1, so it stays at its edge only if ranks are kept.
    this.turnsSides = reflection.transposed || reflection.rowSign === -1;
  }

  get squares(): Uint16Array {
    this.squareTable ??= Uint16Array.from({ length: SIZE * SIZE }, (_, square) =>
      reflect(this.reflection, square),
    );
    return this.squareTable;
  }

  get policyIndices(): Uint16Array {
    this.policyTable ??= this.makePolicyTable();
    return this.policyTable;
  }

  private makePolicyTable(): Uint16Array {
    const { squares } = this;
    const directions = Array.from({ length: NUM_DIRECTIONS }, (_, d) => reflectDirection(this.reflection, d));
    const policyIndices = new Uint16Array(NUM_ACTIONS);
    for (let index = 0; index < NUM_ACTIONS; index += MAX_DISTANCE) {
      const square = squares[startSquare(index)]!;
      const direction = directions[directionOf(index)]!;
      const image = encodeAction(rowOf(square), square % SIZE, direction, 1);
      for (let step = 0; step < MAX_DISTANCE; step++) policyIndices[index + step] = image + step;
    }
    return policyIndices;
  }
}

/** All eight symmetries of the square, the identity first. */
export const GESS_SYMMETRIES: readonly Symmetry[] = REFLECTIONS.map(
  (reflection) => new GessSymmetry(reflection),
);
