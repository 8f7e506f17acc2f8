/** `x ** y` by `Math.pow`, which `usePortableMath` replaces; minifiers would turn a plain call into `**`. */
export function power(x: number, y: number): number {
  return Math.pow.call(Math, x, y);
}
