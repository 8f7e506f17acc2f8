import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests of tree search, then of the rules, the quick ones first: the first two catch most faults. */
const ORDER = [
  'agents/gumbel',
  'agents/mcts/root-policy',
  'agents/mcts/proven-losses',
  'agents/search',
  'env/gess/gess-rings',
  'env/gess/gess-hash',
  'env/gess/gess-ko',
  'env/gess/gess',
  'env/gess/gess-games',
  'env/quess/quess',
  'env/quess/quess-reference',
  'env/perft',
  'env/game-laws',
  'env/gess/rules-docs',
  'env/gess/gess-reference',
];

function place({ moduleId }: TestSpecification): number {
  return ORDER.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
}

class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files.sort((a, b) => place(a) - place(b)));
  }
}

/** Tests a copy of the project with a fault, one file after the other, until a test fails. */
export default defineConfig({
  cacheDir: join(import.meta.dirname, 'cache'),
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ORDER.map((name) => `test/${name}.test.ts`),
    setupFiles: ['test/property-runs.ts'],
    pool: 'forks',
    maxWorkers: 1,
    isolate: false,
    bail: 1,
    testTimeout: 60_000,
    sequence: { sequencer: QuickFirst },
  },
});
