import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { connectFour } from '../../../env/connect-four/connect-four.js';
import { readSolvedPositions } from '../../../training/matches/solved-positions.js';
import { fuzz } from '../fuzz.js';
import { fuzzFolder } from '../fuzz-folder.js';
import { hostileTexts } from '../hostile-texts.js';
import { takes } from '../refusal.js';
import { JSON_WORDS } from './resealed.js';

const path = join(fuzzFolder(), 'solved.jsonl');
const LINES = readFileSync(join(import.meta.dirname, '../../fixtures/connect-four-solved.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .slice(0, 50);
const WORDS = [
  ...[...JSON_WORDS, '\n', '"position":"', '"values":{', '"0":1', '"6":-1', '"7":0', '......./', ' r', ' y'],
];

fuzz('solved positions', {
  input: fc.record({
    lines: fc.array(hostileTexts(fc.constantFrom(...LINES), WORDS), { minLength: 1, maxLength: 3 }),
    bytes: fc.oneof(
      { weight: 9, arbitrary: fc.constant(Buffer.alloc(0)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
    ),
  }),
  runs: 600,
  law: ({ lines, bytes }) => {
    writeFileSync(path, Buffer.concat([Buffer.from(lines.join('\n')), bytes]));
    return takes(async () => {
      for (const { position, values } of await readSolvedPositions(path, connectFour)) {
        const state = connectFour.parsePosition(position);
        for (const action of values.keys()) assert.ok(connectFour.isLegal(state, action));
      }
    });
  },
});
