import { MAX_EVALUATION } from '../../env/definition/evaluation.js';

/** The value of a win at the root; a win `n` plies away is worth `n` less. */
export const WIN = 2 * MAX_EVALUATION;
/** Values above this are proven wins; below its negative, proven losses. */
export const PROVEN = WIN - 1_000;
/** Greater than all values. */
export const INFINITE = 2 * WIN;
/** Stands for an unknown value: the node must be searched. */
export const NO_VALUE = INFINITE + 1;
/** Greatest depth of an iteration. */
export const MAX_DEPTH = 64;

/** Whether `value` is a proven win or loss. */
export function isProven(value: number): boolean {
  return value > PROVEN || value < -PROVEN;
}

/** Converts a value in units of an evaluation to [-1, 1]: 0.5 at the evaluation's scale. */
export function toUnitValue(value: number, scale: number): number {
  if (isProven(value)) return Math.sign(value);
  return Math.tanh((value / scale) * Math.atanh(0.5));
}

/** Plies to the end of the game, from a proven value at the root. */
export function pliesToEnd(value: number): number {
  return WIN - Math.abs(value);
}

/** Converts a value for the table: proven values count plies from the root, in the table from their own position. */
export function toTable(value: number, ply: number): number {
  return value > PROVEN ? value + ply : value < -PROVEN ? value - ply : value;
}

/** Inverse of `toTable`. */
export function fromTable(value: number, ply: number): number {
  return value > PROVEN ? value - ply : value < -PROVEN ? value + ply : value;
}
