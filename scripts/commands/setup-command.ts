import { Command } from 'commander';
import { setUpNativeTensorflow, type SetupReport } from '../../training/tensorflow/native/setup.js';
import type { Output } from '../output.js';
import { setupProgress } from '../progress/setup-progress-bar.js';

function describe({ done, tensorflow, cache }: SetupReport): string {
  return done.length === 0
    ? `native TensorFlow is set up (cache: ${cache})`
    : `native TensorFlow ${tensorflow ?? ''} is set up and runs (${done.join(', ')} made anew; cache: ${cache})`;
}

/** `gess setup`: native TensorFlow for training. */
export function setupCommand(output: Output): Command {
  return new Command('setup')
    .description('set up native TensorFlow, for quick training (once; about 1 GB of disk)')
    .option('--verify', 'also check the contents of all files in the cache, and mend them')
    .option('--json', 'print one JSON object')
    .action(async (options: { verify?: true; json?: true }) => {
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
