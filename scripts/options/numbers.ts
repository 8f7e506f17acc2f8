import { InvalidArgumentError } from '@commander-js/extra-typings';

/** Parses an integer from 0 to `most`; for arguments and options of commands. */
export function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${most}.`);
  };
}

/** Parses the seed of a random stream: an integer from 0 to 2^53 - 1. */
export const seedNumber = wholeNumber(Number.MAX_SAFE_INTEGER);

/** Parses an integer from 1 to a million. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(1_000_000)(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('Expected a whole number from 1 to 1000000.');
}

/** Parses an even integer from 2 to `most`. */
export function evenNumber(most: number): (text: string) => number {
  return (text) => {
    const number = wholeNumber(most)(text);
    if (number >= 2 && number % 2 === 0) return number;
    throw new InvalidArgumentError(`Expected an even number from 2 to ${most}.`);
  };
}

/** Parses a number from 0 to 1. */
export function shareOfOne(text: string): number {
  const share = Number(text);
  if (/^\d*\.?\d+$/.test(text) && share <= 1) return share;
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}

/** Parses a number from 0 up. */
export function nonNegativeNumber(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number, 0 or more.');
}
