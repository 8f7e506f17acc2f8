import type { Command } from '@commander-js/extra-typings';
import { createRng } from '../../env/random.js';
import { readCheckpoint } from '../../training/checkpoints/checkpoint-folder.js';
import { LearnerConfig } from '../../training/config/learner-config.js';
import { exportModel, type ExportResult } from '../../training/export/model-export.js';
import { backendOption } from '../options/backend-option.js';
import { seedNumber } from '../options/numbers.js';
import { loadForLearner } from '../learner-tensorflow.js';
import { gameModuleOption } from '../options/game-options.js';
import type { Output } from '../output.js';

function formatExport({ folder, files, parity }: ExportResult): string {
  const { positions, tensorflowJs, onnx } = parity;
  return [
    `wrote ${Object.keys(files).join(', ')} to ${folder}`,
    `greatest difference from the trainer on ${positions} positions: ` +
      `${tensorflowJs.toExponential(1)} (TensorFlow.js), ${onnx.toExponential(1)} (ONNX)`,
  ].join('\n');
}

/** `gess export`: the network of a checkpoint as files for other programs. */
export function defineExport(command: Command, output: Output): void {
  command
    .requiredOption('--checkpoint <folder>', 'the checkpoint with the network')
    .requiredOption('--out <folder>', 'folder to write to; must not exist')
    .option('--seed <n>', 'seed of the positions on which the files are compared', seedNumber, 1)
    .addOption(backendOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action(async ({ checkpoint, out, seed, backend, json }) => {
      const network = await readCheckpoint(checkpoint);
      const { tf } = await loadForLearner(output, { learner: LearnerConfig.parse({}), backend });
      const result = await exportModel(tf, network, out, createRng(seed, 'export'));
      output.result(json === true ? JSON.stringify(result) : formatExport(result));
    });
}
