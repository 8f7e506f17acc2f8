import { defineConfig } from 'vitest/config';
import { ALONE, ALONE_FILES, SlowFirst, TOGETHER } from './test/schedule.js';

const inCi = process.env['CI'] === 'true';

export default defineConfig({
  test: {
    setupFiles: ['test/property-runs.ts'],
    pool: 'forks',
    // By default, Vitest leaves one core unused.
    maxWorkers: '100%',
    testTimeout: 60_000,
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
