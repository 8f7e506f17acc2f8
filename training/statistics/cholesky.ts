/** The lower triangle `L` of a factored matrix. */
export interface CholeskyFactor {
  /** `[n, n]` row by row; entries above the diagonal are meaningless. */
  readonly entries: Float64Array;
  /** `[n]` column of the first entry of each row that is not 0. The work on a row begins there. */
  readonly first: Int32Array;
}

/** The column of the first entry of each row that is not 0. */
function firstColumns(matrix: Float64Array, size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, row) => {
    let column = 0;
    while (column < row && matrix[row * size + column] === 0) column++;
    return column;
  });
}

/**
 * Computes the lower triangle `L` with `L L^T` equal to a symmetric positive definite `[n, n]` matrix, of which only
 * the lower triangle is read. `L` has the leading zeros of the matrix's rows, so a matrix with few entries, all near
 * the diagonal or in the last rows, costs little (George & Liu 1981, "Computer Solution of Large Sparse Positive
 * Definite Systems", chapter 4).
 */
export function decomposeCholesky(matrix: Float64Array, size: number): CholeskyFactor {
  const entries = Float64Array.from(matrix);
  const first = firstColumns(matrix, size);
  for (let row = 0; row < size; row++) {
    for (let column = first[row]!; column <= row; column++) {
      let sum = entries[row * size + column]!;
      for (let k = Math.max(first[row]!, first[column]!); k < column; k++) {
        sum -= entries[row * size + k]! * entries[column * size + k]!;
      }
      entries[row * size + column] = row === column ? Math.sqrt(sum) : sum / entries[column * size + column]!;
    }
  }
  return { entries, first };
}

/** Solves `L L^T x = vector` with the factor `L` from `decomposeCholesky`. */
export function solveCholesky({ entries, first }: CholeskyFactor, vector: Float64Array): Float64Array {
  const size = vector.length;
  const solution = Float64Array.from(vector);
  for (let row = 0; row < size; row++) {
    for (let k = first[row]!; k < row; k++) solution[row]! -= entries[row * size + k]! * solution[k]!;
    solution[row]! /= entries[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row--) {
    solution[row]! /= entries[row * size + row]!;
    for (let k = first[row]!; k < row; k++) solution[k]! -= entries[row * size + k]! * solution[row]!;
  }
  return solution;
}
