import type { Command } from '@commander-js/extra-typings';
import { inspect } from '../inspection/inspection.js';
import { describeInspection } from '../inspection/inspection-text.js';
import { wholeNumber } from '../options/numbers.js';
import { gameModuleOption } from '../options/game-options.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress/progress.js';

async function runInspect(
  output: Output,
  path: string,
  options: { readonly row?: number; readonly json?: true },
): Promise<void> {
  const { row = null, json } = options;
  const progress = createProgress(output, 'shards');
  if (output.terminal !== undefined) progress.start('gess: reading');
  try {
    const found = await inspect(path, { row, onShard: progress.update.bind(progress) });
    progress.stop();
    output.result(json === true ? JSON.stringify(found) : describeInspection(found));
  } finally {
    progress.stop();
  }
}

/** `gess inspect`: describes a file or folder of this program and verifies every file it reads. */
export function defineInspect(command: Command, output: Output): void {
  command
    .argument('<path>', 'a file or a folder')
    .option('--row <n>', 'of shards: also draw this row, from 0', wholeNumber(Number.MAX_SAFE_INTEGER))
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action((path, options) => runInspect(output, path, options));
}
