import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GameRecord } from '../../../data/records/record.js';
import {
  formatOfName,
  MAX_RECORD_BYTES,
  readRecordFile,
  writeRecordFile,
} from '../../../data/records/record-file.js';
import { temporaryFolder } from '../temporary-folder.js';

const RECORD: GameRecord = {
  game: 'gess',
  rules: 'eureka',
  players: ['Zoë', null],
  moves: [{ move: 'f6-f7', comment: '環' }],
};

describe('a file', () => {
  test.each(['sgf', 'json'] as const)('of %s is read back', async (format) => {
    const path = join(temporaryFolder(), `game.${format}`);
    await writeRecordFile(path, RECORD, { format, overwrite: false });
    expect(await readRecordFile(path, format)).toEqual(RECORD);
  });

  test('is overwritten only on request', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'game.sgf');
    writeFileSync(path, 'mine');
    const options = { format: 'sgf', overwrite: false } as const;
    await expect(writeRecordFile(path, RECORD, options)).rejects.toMatchObject({ code: 'file-exists' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    await writeRecordFile(path, RECORD, { ...options, overwrite: true });
    expect(readFileSync(path, 'utf8')).toMatch(/^\(;FF\[4\]/);
    expect(readdirSync(folder)).toEqual(['game.sgf']);
  });

  test('may begin with a byte order mark', async () => {
    const path = join(temporaryFolder(), 'game.sgf');
    writeFileSync(path, '\ufeff(;GM[20];B[fo:fn])');
    expect((await readRecordFile(path, 'sgf')).moves).toEqual([{ move: 'f6-f7' }]);
  });

  test('is rejected if it is missing, a folder or endless', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'x.sgf'));
    const codeOf = (path: string): Promise<string> =>
      readRecordFile(path, 'sgf').then(
        () => 'read',
        (error: unknown) => (error as { code: string }).code,
      );
    expect(await codeOf(join(folder, 'none.sgf'))).toBe('file-missing');
    expect(await codeOf(join(folder, 'x.sgf'))).toBe('file-unreadable');
    expect(await codeOf('/dev/zero')).toBe('file-unreadable');
  });

  test('is neither read nor written beyond the maximum size', async () => {
    const path = join(temporaryFolder(), 'long.sgf');
    const long = { ...RECORD, comment: 'x'.repeat(MAX_RECORD_BYTES) };
    await expect(writeRecordFile(path, long, { format: 'sgf', overwrite: false })).rejects.toMatchObject({
      code: 'file-too-large',
    });
    // As long as possible, in one comment of characters that are escaped: @sabaki/sgf matches it with one expression.
    const comment = ']'.repeat((MAX_RECORD_BYTES - 20) / 2);
    writeFileSync(path, `(;GM[20]C[${comment.replaceAll(']', '\\]')}])`);
    expect((await readRecordFile(path, 'sgf')).comment).toBe(comment);
    const plain = 'x'.repeat(MAX_RECORD_BYTES - 20);
    writeFileSync(path, `(;GM[20]C[${plain}])`);
    expect((await readRecordFile(path, 'sgf')).comment).toBe(plain);
  });

  test('with unclosed values is rejected quickly', async () => {
    const path = join(temporaryFolder(), 'open.sgf');
    writeFileSync(path, `(;GM[20](;)${'['.repeat(MAX_RECORD_BYTES / 2)}`);
    await expect(readRecordFile(path, 'sgf')).rejects.toMatchObject({ code: 'record-syntax' });
  });

  test('in another encoding is rejected, with the line', async () => {
    const path = join(temporaryFolder(), 'latin.sgf');
    writeFileSync(path, Buffer.from('(;GM[20]\nC[caf\xe9])', 'latin1'));
    await expect(readRecordFile(path, 'sgf')).rejects.toMatchObject({
      code: 'file-encoding',
      message: expect.stringContaining(`line 2 of ${path}`) as string,
    });
  });

  test('is named in the errors of its content', async () => {
    const path = join(temporaryFolder(), 'bad.sgf');
    writeFileSync(path, '(;GM[20]\n;B[x])');
    await expect(readRecordFile(path, 'sgf')).rejects.toMatchObject({
      code: 'record-content',
      message: expect.stringContaining(`${path}: line 2, column 1: expected a move`) as string,
    });
  });
});

test('the format follows from the name', () => {
  expect(['a.sgf', 'b.SGF', 'c.json', 'd.txt', 'sgf'].map(formatOfName)).toEqual([
    'sgf',
    'sgf',
    'json',
    undefined,
    undefined,
  ]);
});
