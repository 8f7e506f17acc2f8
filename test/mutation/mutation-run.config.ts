import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run mutate`: one test per fault, each in its own process on its own core. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/mutation/mutation-run.ts'],
    maxConcurrency: availableParallelism(),
    testTimeout: 600_000,
    hookTimeout: 60_000,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
});
