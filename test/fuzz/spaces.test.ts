import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SpaceError } from '../../env/errors.js';
import { spaceFromJson } from '../../env/spaces/space-json.js';
import { createRng } from '../../env/random.js';
import { anySpace } from '../env/spaces/any-space.js';
import { firstSeed, fuzz } from './fuzz.js';
import { JSON_MARKS, hostileTexts } from './hostile-texts.js';
import { checkRoundTrip, readOrRefuse } from './refusal.js';

const ALPHABET = [
  ...JSON_MARKS,
  ...['"Infinity"', '"-Infinity"', '"-0"', '"kind":"Box"', '"kind":"Discrete"', '"kind":"Dict"'],
  ...['"kind":"Tuple"', '"kind":"MultiBinary"', '"kind":', '"low":', '"high":', '"shape":['],
  ...['"dtype":"int8"', '"n":', '"start":', '"nvec":[', '"spaces":'],
];
const SPACE_CODES = [
  'space-kind',
  'space-syntax',
  'space-shape',
  'space-bounds',
  'space-count',
  'space-members',
] as const;
const SAMPLE_CODES = ['sample-syntax', 'sample-outside'] as const;

/** The value that JSON.parse returns; undefined if the text is not JSON. */
function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

fuzz('a space as JSON', {
  input: hostileTexts(
    anySpace.map((space) => JSON.stringify(space)),
    ALPHABET,
  ),
  runs: 1000,
  law: (text) => {
    const json = jsonOf(text);
    if (json === undefined) return false;
    const found = readOrRefuse(() => spaceFromJson(json.value), SpaceError, SPACE_CODES);
    if (found === undefined) return false;
    checkRoundTrip(found.value, {
      read: (words) => spaceFromJson(JSON.parse(words)),
      write: (space) => JSON.stringify(space),
      portrait: String,
    });
    assert.ok(spaceFromJson(JSON.parse(JSON.stringify(found.value))).equals(found.value));
    return true;
  },
});

const spacesWithSamples = fc
  .sample(fc.tuple(anySpace, fc.nat()), { numRuns: 60, seed: firstSeed })
  .map(([space, seed]) => {
    const rng = createRng(seed);
    const samples = JSON.stringify(space.toJsonable([space.sample(rng), space.sample(rng)]));
    return fc.record({
      space: fc.constant(JSON.stringify(space)),
      text: hostileTexts(fc.constant(samples), ALPHABET),
    });
  });

fuzz('samples of a space as JSON', {
  input: fc.oneof(...spacesWithSamples),
  runs: 600,
  law: ({ space: spaceText, text }) => {
    const space = spaceFromJson(JSON.parse(spaceText));
    const json = jsonOf(text);
    if (json === undefined) return false;
    const found = readOrRefuse(() => space.fromJsonable(json.value), SpaceError, SAMPLE_CODES);
    if (found === undefined) return false;
    assert.ok(found.value.every((sample) => space.contains(sample)));
    checkRoundTrip<readonly unknown[]>(found.value, {
      read: (words) => space.fromJsonable(JSON.parse(words)),
      write: (samples) => JSON.stringify(space.toJsonable(samples as never)),
    });
    return true;
  },
});
