import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DataError } from '../../../data/data-error.js';
import { recordMoves } from '../../../data/records/record.js';
import { readJsonRecord, writeJsonRecord } from '../../../data/records/record-json.js';
import { readSgf } from '../../../data/records/sgf-reading.js';
import { writeSgf } from '../../../data/records/sgf-writing.js';
import { createGame, GAME_IDS } from '../../../env/games.js';
import { records } from '../../data/record-arbitrary.js';
import { fuzz } from '../fuzz.js';
import { moveLists } from '../games/fuzzed-games.js';
import { JSON_MARKS, hostileTexts } from '../hostile-texts.js';
import { checkPlayable } from './record-laws.js';
import { checkRoundTrip, readOrRefuse } from '../refusal.js';

const ALPHABET = [
  ...JSON_MARKS,
  ...['\\r\\n', '"format":"gess-zero-record"', '"version":1', '"game":', '"gess"', '"quess"'],
  ...['"connect-four"', '"rules":', '"moves":[', '"f6-f7"', '"F2-D3"', '"3"', '"move":', '"comment":"x"'],
  ...['"seconds":', '"variations":[[', ']]', '"properties":{"KO":[""]}', '"position":'],
  ...['"players":["a",null]', '"result":"black+R"', '"__proto__":["x"],'],
];
const CODES = [
  'record-syntax',
  'record-content',
  'record-count',
  'record-too-deep',
  'record-too-new',
] as const;

const ofAnyGame = fc
  .constantFrom(...GAME_IDS, 'quess')
  .chain((id) => moveLists(id).map((moves) => recordMoves(createGame(id), { moves })));
const timed = moveLists('quess').map((moves) => {
  const record = recordMoves(createGame('quess', 'standard,clock=180'), { moves });
  return { ...record, moves: record.moves.map((move, i) => ({ ...move, seconds: (i * 13.7) % 30 })) };
});
const valid = fc.oneof(records, ofAnyGame, timed).map(writeJsonRecord);

fuzz('a record as JSON', {
  input: hostileTexts(valid, ALPHABET),
  runs: 300,
  law: (text) => {
    const found = readOrRefuse(() => readJsonRecord(text), DataError, CODES);
    if (found === undefined) return false;
    checkRoundTrip(found.value, { read: readJsonRecord, write: writeJsonRecord });
    if (found.value.game === 'gess') assert.deepStrictEqual(readSgf(writeSgf(found.value)), found.value);
    checkPlayable(found.value);
    return true;
  },
});
