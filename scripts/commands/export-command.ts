import { Command } from 'commander';
import { createRng } from '../../env/random.js';
import { readCheckpoint } from '../../training/checkpoints/checkpoint-folder.js';
import { LearnerConfig } from '../../training/config/learner-config.js';
import { exportModel, type ExportResult } from '../../training/export/model-export.js';
import { backendOption, type BackendOptions } from '../options/backend-option.js';
import { wholeNumber } from '../options/game-options.js';
import { loadForLearner } from '../learner-tensorflow.js';
import type { Output } from '../output.js';

interface ExportOptions extends BackendOptions {
  readonly checkpoint: string;
  readonly out: string;
  readonly seed: number;
  readonly json?: true;
}

function formatExport({ folder, files, parity }: ExportResult): string {
  const { positions, tensorflowJs, onnx } = parity;
  return [
    `wrote ${Object.keys(files).join(', ')} to ${folder}`,
    `greatest difference from the trainer on ${positions} positions: ` +
      `${tensorflowJs.toExponential(1)} (TensorFlow.js), ${onnx.toExponential(1)} (ONNX)`,
  ].join('\n');
}

/** `gess export`: a checkpoint's network as files for other programs. */
export function exportCommand(output: Output): Command {
  return new Command('export')
    .description('write a network for other programs: TensorFlow.js, ONNX and what the numbers mean')
    .requiredOption('--checkpoint <folder>', 'which network')
    .requiredOption('--out <folder>', 'where to; must not exist')
    .option('--seed <n>', 'of the positions that the files are tried on', wholeNumber(2 ** 53 - 1), 1)
    .addOption(backendOption())
    .option('--json', 'print one JSON object')
    .action(async ({ checkpoint, out, seed, backend, json }: ExportOptions) => {
      const network = await readCheckpoint(checkpoint);
      const { tf } = await loadForLearner(output, { learner: LearnerConfig.parse({}), backend });
      const result = await exportModel(tf, network, out, createRng(seed, 'export'));
      output.result(json === true ? JSON.stringify(result) : formatExport(result));
    });
}
