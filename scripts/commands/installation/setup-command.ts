import type { Command } from '@commander-js/extra-typings';
import { setUpNativeTensorflow, type SetupReport } from '../../../training/tensorflow/native/setup.js';
import type { Output } from '../../output.js';
import { setupProgress } from '../../progress/setup-progress-bar.js';

function describe({ done, tensorflow, cache }: SetupReport): string {
  return done.length === 0
    ? `native TensorFlow is set up (cache: ${cache})`
    : `native TensorFlow ${tensorflow ?? ''} is set up and runs (newly made: ${done.join(', ')}; cache: ${cache})`;
}

/** `gess setup`: sets up native TensorFlow for training. */
export function defineSetup(command: Command, output: Output): void {
  command
    .option('--verify', 'also check the contents of all files in the cache, and repair them')
    .option('--json', 'print one JSON object')
    .action(async (options) => {
      const progress = setupProgress(output);
      try {
        const check = options.verify === true ? 'contents' : 'sizes';
        const report = await setUpNativeTensorflow({ observe: progress.observe, check });
        if (options.json === true) output.result(JSON.stringify(report));
        else output.message(`gess: ${describe(report)}`);
      } finally {
        progress.stop();
      }
    });
}
