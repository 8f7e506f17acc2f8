import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { DataError } from '../../../data/data-error.js';
import { type JsonForm, readJsonFile, readJsonLines } from '../../../data/files/json-file.js';
import { sealJson } from '../../../data/files/sealed-json.js';
import { temporaryFolder } from '../temporary-folder.js';

const FORM: JsonForm<{ readonly n: number }> = {
  schema: z.object({ n: z.int() }),
  name: 'a number',
  seal: null,
  error: (message, cause) => new DataError('manifest-damaged', message, { cause }),
};

test('a byte order mark is left out where no checksum covers it', async () => {
  const path = join(temporaryFolder(), 'number.json');
  await writeFile(path, '\ufeff{"n":1}\n{"n":2}');
  expect((await readJsonLines(path, 'records', FORM)).map(({ value }) => value.n)).toEqual([1, 2]);
  await writeFile(path, '{"n":1}\n\ufeff{"n":2}');
  await expect(readJsonLines(path, 'records', FORM)).rejects.toMatchObject({ code: 'manifest-damaged' });
  await writeFile(path, '\ufeff{"n":1}');
  expect(await readJsonFile(path, 'records', FORM)).toEqual({ n: 1 });
  await writeFile(path, `\ufeff${sealJson({ n: 1 }, 'file')}`);
  await expect(readJsonFile(path, 'records', { ...FORM, seal: 'file' })).rejects.toMatchObject({
    code: 'manifest-damaged',
  });
});

test('damaged lines are left out, but not more than a hundred of them', async () => {
  const path = join(temporaryFolder(), 'numbers.jsonl');
  const damaged: string[] = [];
  const read = async (text: string): Promise<readonly number[]> => {
    await writeFile(path, text);
    damaged.length = 0;
    const lines = await readJsonLines(path, 'records', FORM, ({ message }) => damaged.push(message));
    return lines.map(({ value }) => value.n);
  };
  expect(await read(`{"n":1}\n${'\n{}\nx\n{"n":0.5}\n'.repeat(25)}{"n":2}\n`)).toEqual([1, 2]);
  expect(damaged).toHaveLength(100);
  expect(await read(`{"n":1}\n${'\n'.repeat(1_000_000)}{"n":2}\n`)).toEqual([1]);
  expect(damaged).toHaveLength(101);
  expect(damaged.at(-1)).toBe(
    `more than 100 damaged lines; those from line 102 on were not read, in ${path}`,
  );
});
