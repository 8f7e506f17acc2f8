import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkerBook } from '../../../../training/workers/pool/coordinator/worker-book.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';

const WORKER = `U${'A'.repeat(55)}`;
const SHARD = {
  kind: 'accepted',
  worker: WORKER,
  job: 'job',
  shardSha256: 'a'.repeat(64),
  games: 4,
} as const;

test('a book that is opened again knows the shards, the proven and the suspended workers', async () => {
  const path = join(temporaryFolder(), 'workers.jsonl');
  const [other, liar] = [WORKER.replaceAll('A', 'B'), WORKER.replaceAll('A', 'C')];
  const book = await WorkerBook.open(path);
  await book.add({ ...SHARD, replayed: 4 });
  await book.add({ kind: 'proven', worker: other });
  await book.add({ kind: 'suspended', worker: liar, reason: 'it has sent a lie' });
  const again = await WorkerBook.open(path);
  expect([WORKER, other, liar].map((worker) => again.isProven(worker))).toEqual([true, true, false]);
  expect(again.shardsOf(WORKER)).toEqual([{ ...SHARD, replayed: 4 }]);
  expect(again.suspensionOf(liar)).toBe('it has sent a lie');
});

test('a few damaged lines of a book are skipped, but a book that is not read to its end is refused', async () => {
  const path = join(temporaryFolder(), 'workers.jsonl');
  await (await WorkerBook.open(path)).add({ kind: 'suspended', worker: WORKER, reason: 'it has sent a lie' });
  const line = await readFile(path, 'utf8');
  await writeFile(path, '\n'.repeat(100) + line);
  expect((await WorkerBook.open(path)).suspensionOf(WORKER)).toBe('it has sent a lie');
  await writeFile(path, '\n'.repeat(101) + line);
  await expect(WorkerBook.open(path)).rejects.toMatchObject({ code: 'run-damaged' });
});

test('a worker is proven only by a shard all of whose games were replayed', async () => {
  const book = await WorkerBook.open(null);
  await book.add({ ...SHARD, replayed: 3 });
  expect(book.isProven(WORKER)).toBe(false);
});
