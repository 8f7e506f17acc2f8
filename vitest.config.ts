import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { defineConfig } from 'vitest/config';
import { ALONE, ALONE_FILES, SlowFirst, TOGETHER } from './test/schedule.js';

const inCi = process.env['CI'] === 'true';

/** Linux's file system in memory; containers often have 64 MiB of it, in which no program may run. */
const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
const NEEDED_BYTES = 2 ** 31;

/** Folder for temporary files: in memory if there is room, because programs wait for the disk when they sync a file. */
function temporaryFolder(): string {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY) || !existsSync(MOUNTS)) return tmpdir();
  const mount = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === MEMORY);
  if (mount === undefined || mount.includes('noexec')) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= NEEDED_BYTES ? MEMORY : tmpdir();
}

export default defineConfig({
  test: {
    setupFiles: ['test/property-runs.ts'],
    pool: 'forks',
    // By default, Vitest leaves one core unused; tests that wait for a program leave another.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    env: { TMPDIR: temporaryFolder() },
    sequence: { sequencer: SlowFirst },
    // .ci/run reads the count of tests from the file.
    reporters: inCi ? ['default', ['json', { outputFile: 'test-results.json' }]] : ['default'],
    projects: [
      { extends: true, test: { name: ALONE, include: ALONE_FILES } },
      {
        extends: true,
        test: {
          name: TOGETHER,
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE_FILES, '**/node_modules/**'],
          isolate: false,
        },
      },
    ],
  },
});
