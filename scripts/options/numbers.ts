import { InvalidArgumentError } from '@commander-js/extra-typings';
import { MAX_PROCESSES } from '../../training/config/groups/setting-limits.js';

/** Parses an integer from `least` to `most`; for arguments and options of commands. */
export function wholeNumberFrom(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Parses an integer from 0 to `most`. */
export function wholeNumber(most: number): (text: string) => number {
  return wholeNumberFrom(0, most);
}

/** Parses the seed of a random stream: an integer from 0 to 2^53 - 1. */
export const seedNumber = wholeNumber(Number.MAX_SAFE_INTEGER);

/** Parses an integer from 1 to a million. */
export const positiveNumber = wholeNumberFrom(1, 1_000_000);

/** Parses a number of processes. */
export const processNumber = wholeNumberFrom(1, MAX_PROCESSES);

/** Parses an even integer from 2 to `most`. */
export function evenNumber(most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 2 && number <= most && number % 2 === 0) return number;
    throw new InvalidArgumentError(`Expected an even number from 2 to ${most}.`);
  };
}

/** A decimal number, with an exponent or without: `0.25`, `.25`, `25e-2`. */
const DECIMAL = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Parses a number from 0 to `most`. */
function decimalNumber(most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (DECIMAL.test(text) && number <= most) return number;
    throw new InvalidArgumentError(`Expected a number from 0 to ${most}.`);
  };
}

/** Parses a number from 0 to 1. */
export const shareOfOne = decimalNumber(1);

/** Parses a number from 0 to a million. */
export const nonNegativeNumber = decimalNumber(1_000_000);
