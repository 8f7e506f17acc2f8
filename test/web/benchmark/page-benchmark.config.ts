import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run bench:page`: runs one measurement after another and prints the figures. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..', '..'),
    include: ['test/web/benchmark/page-benchmark.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    reporters: ['verbose'],
    disableConsoleIntercept: true,
  },
});
