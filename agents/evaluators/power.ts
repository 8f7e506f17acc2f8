/** `x ** y`, by the function of `Math`, which others may replace: minifiers make an operator of a plain call. */
export function power(x: number, y: number): number {
  return Math.pow.call(Math, x, y);
}
