import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from '@commander-js/extra-typings';
import fc from 'fast-check';
import { writeJsonRecord } from '../../data/records/record-json.js';
import { writeSgf } from '../../data/records/sgf-writing.js';
import { GAME_IDS } from '../../env/games.js';
import { records } from '../data/record-arbitrary.js';
import { runGess } from '../scripts/captured-output.js';
import { fuzz } from './fuzz.js';
import { fuzzFolder } from './fuzz-folder.js';
import { FUZZED_GAMES, moveLists } from './games/fuzzed-games.js';
import { hostileTexts, poolOf } from './hostile-texts.js';
import { checkRefusal } from './refusal.js';

const folder = fuzzFolder();
const RECORD = join(folder, 'record');
const WRITTEN = join(folder, 'written');

const ALPHABET = [
  '-',
  '--',
  '=',
  ' ',
  ',',
  '/',
  'a1',
  'f6-f7',
  '18',
  'b',
  'w',
  '0',
  '1',
  'eureka',
  'standard',
  'clock=180',
];
const text = (...valid: readonly string[]): fc.Arbitrary<string> =>
  hostileTexts(fc.constantFrom(...valid), ALPHABET);

const ids = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...GAME_IDS) },
  { weight: 1, arbitrary: text('gess') },
);
const rules = fc.oneof(
  fc.constantFrom('default', 'eureka', 'sgf,ko=superko', 'standard', 'standard,clock=180'),
  text('eureka', 'wikipedia,edge=strict', 'standard,clock=180'),
);
const positions = fc.oneof(
  ...FUZZED_GAMES.flatMap((game) => [poolOf(game.positions), hostileTexts(game.positions, game.alphabet)]),
);
const moves = fc.oneof(
  ...GAME_IDS.flatMap((id) => [poolOf(moveLists(id)), hostileTexts(moveLists(id), ALPHABET)]),
);

const flag = (name: string, values: fc.Arbitrary<string>, freq = 2): fc.Arbitrary<string[]> =>
  fc.option(
    values.map((value) => [`--${name}=${value}`]),
    { nil: [], freq },
  );
const bare = (name: string): fc.Arbitrary<string[]> => fc.constantFrom([], [], [`--${name}`]);
const words = (...parts: readonly fc.Arbitrary<string[]>[]): fc.Arbitrary<string[]> =>
  fc.tuple(...parts).map((lists) => lists.flat());
const position = [
  flag('game', ids),
  flag('rules', rules, 1),
  flag('position', positions, 1),
  flag('moves', moves, 1),
];

const files = fc.oneof(
  hostileTexts(records.map(writeSgf), ['(;', ')', ';', '[', ']', 'B[fo:fn]']).map((sgf) => Buffer.from(sgf)),
  hostileTexts(records.map(writeJsonRecord), ['{', '}', '[', ']', ',', '"f6-f7"']).map((json) =>
    Buffer.from(json),
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
);
const paths = fc.constantFrom(
  RECORD,
  RECORD,
  RECORD,
  folder,
  join(folder, 'none'),
  '',
  'a\0b',
  `${RECORD}/x`,
);

const lines = fc.oneof(
  words(
    fc.constant(['show']),
    ...position,
    flag('piece', text('l3', 'C3'), 1),
    fc.constantFrom([], ['--svg'], [`--svg=${WRITTEN}.svg`], [`--svg=${folder}`]),
    bare('json'),
  ),
  words(
    fc.constant(['perft']),
    ...position,
    flag('last-ply', fc.constantFrom('count', 'list', 'play', 'none'), 1),
    bare('json'),
    fc.oneof(
      fc.constantFrom<string[][]>(['0'], ['1'], [], ['0', '1']),
      text('0')
        .filter((word) => !/^\d+$/.test(word))
        .map((word) => [word]),
    ),
  ),
  words(
    fc.constant(['replay']),
    ...position,
    flag('sgf', paths, 1),
    flag('record', paths, 1),
    flag('number', fc.constantFrom('1', '2', '0', '-1', 'x', '1000001')),
    flag(
      'write',
      fc.constantFrom(`${WRITTEN}.sgf`, `${WRITTEN}.json`, `${WRITTEN}.txt`, join(folder, 'none', 'a.sgf')),
    ),
    bare('force'),
    bare('variations'),
    bare('overwrite'),
    bare('json'),
  ),
  words(
    fc.constantFrom(['replay'], ['show'], ['perft', '0']),
    text('--json', '--force', '-h', '--debug').map((word) => [word]),
  ),
);

/** Whether no word would read stdin or write files that `WRITTEN` does not cover. */
function isSafe(list: readonly string[]): boolean {
  return !list.some((word) => /^--(b|ba|bat|batc|batch)$/.test(word));
}

fuzz('show, perft and replay', {
  input: fc.record({ list: lines.filter(isSafe), content: files }),
  runs: 250,
  law: async ({ list, content }) => {
    writeFileSync(RECORD, content);
    const before = content.toString('hex');
    try {
      const { results, messages } = await runGess(...list);
      assert.ok(results.length + messages.length > 0);
      if (list.includes('--json')) for (const line of results) JSON.parse(line);
      return true;
    } catch (error) {
      // `--help` and `--version` also end with such an error.
      if (error instanceof CommanderError) assert.match(error.code, /^commander\./);
      else checkRefusal(error);
      return false;
    } finally {
      assert.equal(readFileSync(RECORD).toString('hex'), before);
      const left = readdirSync(folder).filter((name) => name !== 'record' && !name.startsWith('written.'));
      assert.deepEqual(left, []);
    }
  },
});
