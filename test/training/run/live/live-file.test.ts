import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeUnfinished } from '../../../../data/files/unfinished-paths.js';
import { type NewLiveState, readLiveState, writeLiveState } from '../../../../training/run/live/live-file.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';

const STATE: NewLiveState = {
  state: 'running',
  processId: 1,
  since: 0,
  time: 1,
  backend: 'wasm',
  hardware: { processor: 'any', cores: 1, memoryBytes: 1, system: 'any' },
  stage: null,
  point: null,
};

test('the state of a run is read as it was written', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'live.json');
  await writeLiveState(path, STATE);
  expect(await readLiveState(path)).toMatchObject(STATE);
  expect(readdirSync(folder)).toEqual(['live.json']);
});

test('a process that ends while it writes its state leaves nothing', async () => {
  const folder = temporaryFolder();
  const writing = writeLiveState(join(folder, 'live.json'), STATE);
  expect(readdirSync(folder)).toHaveLength(1);
  removeUnfinished();
  await writing;
  expect(readdirSync(folder)).toEqual([]);
});
