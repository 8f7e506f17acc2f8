import type { Symmetry } from '../game.js';

/**
 * Writes the planes of one position with a symmetry applied to its squares.
 *
 * @param from `[R, C, P]`.
 * @param to a different array of the same length.
 */
export function turnPlanes({ squares }: Symmetry, from: Float32Array, to: Float32Array): void {
  const planes = from.length / squares.length;
  for (let square = 0, start = 0; square < squares.length; square++) {
    let target = squares[square]! * planes;
    for (const end = start + planes; start < end; start++, target++) to[target] = from[start]!;
  }
}
