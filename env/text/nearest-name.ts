import { closest, distance } from 'fastest-levenshtein';

/** Longer names are assumed not to be typing errors. */
const MAX_NAME_LENGTH = 100;

/** In names up to this length, two wrong letters make another word: `foo` is not meant to be `pool`. */
const SHORT_NAME_LENGTH = 4;

function sortLetters(name: string): string {
  return Array.from(name).sort().join('');
}

/** The number of typing errors that make `name` of `known`; exchanged letters are one. */
function countErrors(name: string, known: string): number {
  const edits = distance(name, known);
  return edits === 2 && sortLetters(name) === sortLetters(known) ? 1 : edits;
}

/** Whether `name` is a likely typing error: one in a short name, else two or as many as a third of its letters. */
function isNear(name: string, known: string): boolean {
  const most = name.length <= SHORT_NAME_LENGTH ? 1 : Math.max(2, name.length / 3);
  return countErrors(name, known) <= Math.min(most, known.length - 1);
}

/**
 * The known name that was probably meant; undefined if none is near. Case does not matter.
 *
 * @param known any number of names.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_NAME_LENGTH || known.length === 0) return undefined;
  const lower = name.toLowerCase();
  const byLower = new Map(known.map((other) => [other.toLowerCase(), other]));
  const nearest = closest(lower, [...byLower.keys()]);
  return isNear(lower, nearest) ? byLower.get(nearest) : undefined;
}

/**
 * The end of a message about an unknown name: `; did you mean 'gess'?`.
 *
 * @param otherwise the end if no known name is near.
 */
export function suggestName(name: string, known: readonly string[], otherwise = ''): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? otherwise : `; did you mean '${nearest}'?`;
}

/** `suggestName` for the name of something shipped, or a path: a word without a slash or a dot may be a mistyped name. */
export function suggestShipped(nameOrPath: string, known: readonly string[], otherwise = ''): string {
  return /[./\\]/.test(nameOrPath) ? '' : suggestName(nameOrPath, known, otherwise);
}
