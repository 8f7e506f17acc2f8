import fc from 'fast-check';
import { firstSeed } from './fuzz.js';

const POOL_SIZE = 300;

/**
 * Characters and words that often break programs: line ends, blanks, unpaired surrogates, digits of other scripts,
 * names of object members.
 */
const ODD_TEXTS = [
  ...['\0', '\r\n', '\r', '\n', '\t', ' ', '\u00a0', '\ufeff', '\u2028', '\u202e', '\u001b[31m'],
  ...['\ud800', '\udc00', '🎲', 'e\u0301', 'İ', 'ß', 'ſ', 'K', '９', '²', '٣'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'undefined', 'null', 'NaN', 'Infinity'],
  ...['%2C', '%25', '%', '\\', '"', "'", '&lt;', '${0}', '$&', '../', '-', '--'],
];

const ODD_NUMBERS = [
  ...[
    '0',
    '-0',
    '00',
    '-1',
    '1',
    '0.5',
    '-0.0',
    '1e3',
    '1E-7',
    '1e999',
    '-1e999',
    '0x10',
    '1_000',
    '+1',
    '.5',
    '1.',
  ],
  ...['255', '256', '65535', '65536', '57599', '57600', '2147483647', '2147483648', '4294967296'],
  ...['9007199254740991', '9007199254740993', '1'.repeat(400), ''],
];

/** Punctuation and values of JSON, some of them hostile; each format adds its own words. */
export const JSON_MARKS: readonly string[] = [
  ...['{', '}', '[', ']', ',', ':', '"', ' ', '""', 'null', 'true', 'false'],
  ...['0', '1', '-1', '-0', '1e308', '1e999', '\\u0000', '\\ud800', '"__proto__":', '"constructor":'],
];

const BRACKETS = ['[]', '()', '{}', '(;)', '[[', '{"a":}'];

/** A change of a text. Positions are taken modulo the text's length; `other` is a second valid text. */
type Mutation = (text: string, other: string) => string;

const place = fc.nat(2 ** 16);
const few = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 40 }));

function split(
  text: string,
  at: number,
  length = 0,
): readonly [before: string, there: string, after: string] {
  const start = at % (text.length + 1);
  return [text.slice(0, start), text.slice(start, start + length), text.slice(start + length)];
}

/** Exchanges two adjacent parts. */
function exchange(text: string, at: number, length: number): string {
  const [before, there, after] = split(text, at, length);
  return before + after.slice(0, length) + there + after.slice(length);
}

/** Replaces a number in the text by `insert`. */
function changeNumber(text: string, which: number, insert: string): string {
  const numbers = Array.from(text.matchAll(/\d+/g));
  const number = numbers[which % Math.max(1, numbers.length)];
  if (number === undefined) return text;
  return text.slice(0, number.index) + insert + text.slice(number.index + number[0].length);
}

function nest(text: string, at: number, [brackets, depth]: readonly [string, number]): string {
  const [before, there, after] = split(text, at, 3);
  const half = Math.ceil(brackets.length / 2);
  return before + brackets.slice(0, half).repeat(depth) + there + brackets.slice(half).repeat(depth) + after;
}

function changeCase(text: string, at: number, length: number): string {
  const [before, there, after] = split(text, at, length);
  return before + (there === there.toUpperCase() ? there.toLowerCase() : there.toUpperCase()) + after;
}

function mutations(alphabet: readonly string[]): fc.Arbitrary<Mutation> {
  const insert = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...alphabet) },
    { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }) },
  );
  const times = fc.oneof(fc.integer({ min: 2, max: 20 }), fc.constantFrom(200, 1100));
  return fc.oneof(
    fc.tuple(place, insert, few).map(([at, word, length]): Mutation => (text) => {
      const [before, , after] = split(text, at, length);
      return before + word + after;
    }),
    fc.tuple(place, insert).map(
      ([at, word]): Mutation =>
        (text) =>
          split(text, at).join(word),
    ),
    fc.tuple(place, few).map(([at, length]): Mutation => (text) => {
      const [before, , after] = split(text, at, length);
      return before + after;
    }),
    fc.tuple(place, few).map(([at, length]): Mutation => (text) => {
      const [before, there, after] = split(text, at, length);
      return before + there + there + after;
    }),
    fc.tuple(place, place).map(([at, to]): Mutation => (text, other) => {
      return split(text, at)[0] + split(other, to)[2];
    }),
    fc.tuple(place, fc.constantFrom(...ODD_NUMBERS)).map(([which, word]): Mutation => (text) => {
      return changeNumber(text, which, word);
    }),
    fc.tuple(place, few).map(
      ([at, length]): Mutation =>
        (text) =>
          changeCase(text, at, length),
    ),
    fc.tuple(place, few).map(
      ([at, length]): Mutation =>
        (text) =>
          exchange(text, at, length),
    ),
    fc.tuple(place, fc.constantFrom(...BRACKETS), times).map(([at, brackets, depth]): Mutation => (text) => {
      return nest(text, at, [brackets, depth]);
    }),
    fc.tuple(place, insert, times).map(([at, word, count]): Mutation => (text) => {
      return split(text, at).join(word.repeat(count));
    }),
  );
}

/** A few hundred values from `values`, drawn once, which is much faster than a new value for each input. */
export function poolOf<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.constantFrom(...fc.sample(values, { numRuns: POOL_SIZE, seed: firstSeed }));
}

/**
 * Texts for a parser: any characters; words of its alphabet in any order; `valid` texts, unchanged and, mostly, with
 * some changes. `valid` is sampled once, for a pool.
 */
export function hostileTexts(valid: fc.Arbitrary<string>, alphabet: readonly string[]): fc.Arbitrary<string> {
  const changes = fc.array(mutations(alphabet), { minLength: 1, maxLength: 4 });
  const pool = poolOf(valid);
  const changed = fc
    .tuple(pool, pool, changes)
    .map(([text, other, list]) => list.reduce((current, mutate) => mutate(current, other), text));
  const words = fc.array(fc.constantFrom(...alphabet, ...ODD_NUMBERS), { maxLength: 40 });
  return fc.oneof(
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
    { weight: 2, arbitrary: words.map((list) => list.join('')) },
    { weight: 1, arbitrary: pool },
    { weight: 8, arbitrary: changed },
  );
}
