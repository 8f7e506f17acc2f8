import { Command } from 'commander';
import { wholeNumber } from '../options/game-options.js';
import { inspect } from '../inspection/inspection.js';
import { describeInspection } from '../inspection/inspection-text.js';
import type { Output } from '../output.js';
import { createProgress } from '../progress/progress.js';

interface InspectOptions {
  readonly row?: number;
  readonly json?: true;
}

async function runInspect(output: Output, path: string, options: InspectOptions): Promise<void> {
  const { row = null, json } = options;
  const progress = createProgress(output, 'shards');
  if (output.interactive) progress.start('gess inspect: reading');
  try {
    const onShard = output.interactive ? progress.update.bind(progress) : undefined;
    const found = await inspect(path, { row, onShard });
    progress.stop();
    output.result(json === true ? JSON.stringify(found) : describeInspection(found));
  } finally {
    progress.stop();
  }
}

/** `gess inspect`: what is in a file or folder of this program, every file read checked. */
export function inspectCommand(output: Output): Command {
  const command = new Command('inspect')
    .description('show what is in a shard, a folder of shards, a checkpoint, a run or a file of episodes')
    .argument('<path>', 'a file or a folder')
    .option('--row <n>', 'of shards: also draw this row, from 0', wholeNumber(Number.MAX_SAFE_INTEGER))
    .option('--json', 'print one JSON object');
  return command.action((path: string, options: InspectOptions) => runInspect(output, path, options));
}
