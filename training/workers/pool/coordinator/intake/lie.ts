/** Thrown for a result that no honest worker would send. */
export class Lie extends Error {
  override readonly name = 'Lie';
}
