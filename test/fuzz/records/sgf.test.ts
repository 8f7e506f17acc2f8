import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { DataError } from '../../../data/data-error.js';
import { readJsonRecord, writeJsonRecord } from '../../../data/records/record-json.js';
import { readSgf } from '../../../data/records/sgf-reading.js';
import { writeSgf } from '../../../data/records/sgf-writing.js';
import { records } from '../../data/record-arbitrary.js';
import { fuzz } from '../fuzz.js';
import { hostileTexts } from '../hostile-texts.js';
import { checkPlayable } from './record-laws.js';
import { checkRoundTrip, readOrRefuse } from '../refusal.js';

const VALID = [
  readFileSync(join(import.meta.dirname, '..', '..', '..', 'examples', 'records', 'eureka-53.sgf'), 'utf8'),
  'To: a friend\r\n(;GaMe[20]SiZe[20:20]\r\nRUles[Eureka]PL[white]AB[bb:dd][pp]AE[cc]PLY[7];White[fg:fh])',
  '(;GM[20]PB[a\\]b]PW[\\\\];B[fo:fn]SECONDS[1.5](;W[fg:fh]C[x\\\ny])(;W[cf:cg](;B[co:cn])(;B[lo:ln]KO[]TE[1])))',
  '(;FF[4]GM[20]B[fo:fn]C[in the root];W[fg:fh])(;GM[20]RU[osu,ko=superko])',
];
const ALPHABET = [
  ...[
    '(;',
    '(',
    ')',
    ';',
    '[',
    ']',
    '[]',
    '\\',
    '\\]',
    ':',
    '\n',
    '\r\n',
    ' ',
    'fo:fn',
    'fg:fh',
    'bb',
    'ss',
    'tt',
    'aa:tt',
  ],
  ...[
    'B',
    'W',
    'C',
    'AB',
    'AW',
    'AE',
    'PL',
    'PLY',
    'GM[20]',
    'SZ[20]',
    'FF[4]',
    'RU[',
    'RE[',
    'SECONDS[',
    'KO[]',
    'CA[UTF-8]',
  ],
  ...[
    'B[fo:fn]',
    ';W[fg:fh]',
    '(;GM[20]',
    'toString[x]',
    'PB[',
    'eureka',
    'sgf,edge=stone',
    'Draw',
    'B+',
    'W+R',
    'black',
  ],
];
const CODES = ['record-syntax', 'record-content', 'record-game', 'record-count', 'record-too-deep'] as const;
const valid = fc.oneof(fc.constantFrom(...VALID), fc.constantFrom(...VALID.slice(1)), records.map(writeSgf));

fuzz('an SGF file', {
  input: fc.record({
    text: hostileTexts(valid, ALPHABET),
    number: fc.constantFrom(undefined, undefined, 1, 2),
  }),
  runs: 300,
  law: ({ text, number }) => {
    const found = readOrRefuse(() => readSgf(text, { number }), DataError, CODES);
    if (found === undefined) return false;
    checkRoundTrip(found.value, { read: readSgf, write: writeSgf });
    assert.deepStrictEqual(readJsonRecord(writeJsonRecord(found.value)), found.value);
    checkPlayable(found.value);
    return true;
  },
});
