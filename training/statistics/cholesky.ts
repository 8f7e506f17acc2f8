/**
 * Computes the lower triangle `L` with `L L^T` equal to a symmetric positive definite `[n, n]` matrix, of which only
 * the lower triangle is read. Entries of the result above the diagonal are meaningless.
 */
export function decomposeCholesky(matrix: Float64Array, size: number): Float64Array {
  const factor = Float64Array.from(matrix);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = factor[row * size + column]!;
      for (let k = 0; k < column; k++) sum -= factor[row * size + k]! * factor[column * size + k]!;
      factor[row * size + column] = row === column ? Math.sqrt(sum) : sum / factor[column * size + column]!;
    }
  }
  return factor;
}

/** Solves `L L^T x = vector` with the factor `L` from `decomposeCholesky`. */
export function solveCholesky(factor: Float64Array, vector: Float64Array): Float64Array {
  const size = vector.length;
  const solution = Float64Array.from(vector);
  for (let row = 0; row < size; row++) {
    for (let k = 0; k < row; k++) solution[row]! -= factor[row * size + k]! * solution[k]!;
    solution[row]! /= factor[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let k = row + 1; k < size; k++) solution[row]! -= factor[k * size + row]! * solution[k]!;
    solution[row]! /= factor[row * size + row]!;
  }
  return solution;
}
