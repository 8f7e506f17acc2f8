import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** `npm run docs:picture`: the picture of the page in the README, made anew. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..', '..'),
    include: ['test/web/picture/page-picture.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
