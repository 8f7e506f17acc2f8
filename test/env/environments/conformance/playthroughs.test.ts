import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectFour } from '../../../../env/connect-four/connect-four.js';
import { checkPlaythroughFile } from '../../../../env/environments/conformance/playthrough-file.js';
import { formatPlaythrough } from '../../../../env/environments/conformance/playthrough.js';
import { createGame } from '../../../../env/games.js';

/** `UPDATE_PLAYTHROUGHS=1 npx vitest run test/env/environments/conformance/playthroughs.test.ts` rewrites them. */
const update = process.env['UPDATE_PLAYTHROUGHS'] === '1';
const folder = join(import.meta.dirname, '..', '..', '..', 'fixtures', 'playthroughs');

const RECORDED = [
  ['gess', 'eureka', 12],
  ['gess', 'gach', 12],
  ['gess', 'osu', 12],
  ['quess', 'standard', 30],
  ['connect-four', 'standard', 42],
] as const;

test.each(RECORDED)('%s by the rules %s plays as recorded', (id, rules, plies) => {
  const path = join(folder, `${id}-${rules}.txt`);
  const report = checkPlaythroughFile(createGame(id, rules), path, { update, plies, seed: 2 });
  expect(report.findings).toEqual([]);
});

test('a playthrough is written and read, and a changed line is found', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'gess-playthrough-'));
  try {
    const path = join(temporary, 'connect-four.txt');
    const compare = (): unknown => checkPlaythroughFile(connectFour, path).findings;
    expect(compare()).toMatchObject([{ code: 'game-playthrough', message: /expected a file/ }].map(matching));
    expect(checkPlaythroughFile(connectFour, path, { update: true }).findings).toEqual([]);
    expect(compare()).toEqual([]);
    const text = formatPlaythrough(connectFour, { seed: 1 });
    writeFileSync(path, text.replace(/^hash: .*$/m, 'hash: 00'));
    const line = text.split('\n').findIndex((content) => content.startsWith('hash: ')) + 1;
    expect(compare()).toEqual([
      expect.objectContaining({
        step: 0,
        message: expect.stringContaining(`line ${line}: expected 'hash: 00'`) as string,
      }),
    ]);
    writeFileSync(path, text.replace(/^move: \d$/m, 'move: x'));
    expect(compare()).toEqual([expect.objectContaining({ code: 'threw' })]);
  } finally {
    rmSync(temporary, { recursive: true });
  }
});

function matching({ code, message }: { readonly code: string; readonly message: RegExp }): object {
  return { code, message: expect.stringMatching(message) as string };
}
