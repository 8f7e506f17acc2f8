import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isLong } from './long-tests.js';

/** The name of the project whose test files have a process each. It sorts before that of the others, which starts later. */
export const ALONE = 'alone';
/** The name of the project whose test files share a process a core, so that modules are loaded once for all. */
export const TOGETHER = 'together';

/** Test files without a test in the short form. Skipped, they need no process of their own. */
const LONG_FILES = [
  'test/models/parity/parity.test.ts',
  'test/training/whole-runs/pool-run.test.ts',
  'test/training/whole-runs/run-survival.test.ts',
];

/** Test files that measure or change their process: its heap, the registered games, the backend of TensorFlow.js. */
export const ALONE_FILES = [
  'test/env/games.test.ts',
  'test/examples/game-from-outside.test.ts',
  'test/scripts/line-protocol/hostile-lines.test.ts',
  'test/env/rules-allocation.test.ts',
  'test/env/environments/environment-allocation.test.ts',
  'test/scripts/play/play-table.test.ts',
  'test/training/games/game-module.test.ts',
  'test/training/tensorflow/tensorflow.test.ts',
  'test/training/tensorflow/wasm/*.test.ts',
  'test/training/whole-runs/whole-run.test.ts',
  ...(isLong ? LONG_FILES : []),
];

/** Test files of more than five seconds, the slowest first; those of CI's long forms are among them. */
const SLOW_FILES = [
  'whole-runs/run-survival',
  'whole-runs/whole-run',
  'native/setup',
  'wasm/whole-run-on-wasm',
  'whole-runs/pool-run',
  'examples/game-from-outside',
  'gess/gess-reference',
  'web/page-play',
  'docs/runnable-blocks',
  'stopping/stopped-commands',
  'examples/choose-move',
  'engine/compliance',
  'workers/process-pool',
  'pool/many-machines',
  'scripts/training/train',
  'web/page-rooms',
  'play/engines/foreign-engine',
  'scripts/engine/engine',
  'scripts/engine/analysis-engine',
  'scripts/report/game-analysis',
  'play/terminal-play',
  'vector/process-vector-env',
  'openings/opening-book',
  'usage/json-output',
  'docs/docs',
  'examples/examples',
];

function place({ moduleId }: TestSpecification): number {
  const index = SLOW_FILES.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return index < 0 ? SLOW_FILES.length : index;
}

/** Starts the slow files first, so that no core idles while another one ends the last of them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isTogether = ({ project }: TestSpecification): number => Number(project.name === TOGETHER);
    return sorted.sort((a, b) => isTogether(a) - isTogether(b) || place(a) - place(b));
  }
}
