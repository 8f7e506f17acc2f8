import { defineConfig } from 'vitest/config';

const inCi = process.env['CI'] === 'true';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/property-runs.ts'],
    pool: 'forks',
    // By default one core is left for watching.
    maxWorkers: '100%',
    testTimeout: 60_000,
    // .ci/run reads the count of tests from the file.
    reporters: inCi ? ['default', ['json', { outputFile: 'test-results.json' }]] : ['default'],
  },
});
