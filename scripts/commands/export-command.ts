import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { PlayOptions } from '../../agents/play-options.js';
import { expectPlaceForOutput } from '../../data/files/output-folder.js';
import { describeProblems } from '../../env/problems-text.js';
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

/** Parses `--play`: `name=value,…`. */
function playOptions(text: string): PlayOptions {
  const pairs = text.split(',').map((pair) => pair.split('='));
  const parsed = PlayOptions.safeParse(
    Object.fromEntries(pairs.map(([name, value]) => [name, Number(value)])),
  );
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(
    `Expected options of ${Object.keys(PlayOptions.shape).join(', ')}: ${describeProblems(parsed.error)}.`,
  );
}

/** `gess export`: the network of a checkpoint as files for other programs. */
export function defineExport(command: Command, output: Output): void {
  command
    .requiredOption('--checkpoint <folder>', 'the checkpoint with the network')
    .requiredOption('--out <folder>', 'folder to write to; must not exist')
    .option('--seed <n>', 'seed of the positions on which the files are compared', seedNumber, 1)
    .option(
      '--play <options>',
      'options with which the network plays best, such as exploration=0.8,symmetries=2: defaults of its agents ' +
        '(default: those of matches in runs)',
      playOptions,
    )
    .addOption(backendOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action(async ({ checkpoint, out, seed, play, backend, json }) => {
      await expectPlaceForOutput(out, 'exported model');
      const network = await readCheckpoint(checkpoint);
      const { tf } = await loadForLearner(output, { learner: LearnerConfig.parse({}), backend });
      const result = await exportModel(tf, network, out, { rng: createRng(seed, 'export'), play });
      output.result(json === true ? JSON.stringify(result) : formatExport(result));
    });
}
