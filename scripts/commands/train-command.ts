import { Command } from 'commander';
import { findHalfLearnt } from '../../training/learning/halfway-folder.js';
import { playingGeneration } from '../../training/run/gate-records.js';
import { readRecords } from '../../training/run/run-record-file.js';
import { backendOption, type BackendOptions } from '../options/backend-option.js';
import { addConfigOptions, addExamples, configFrom, type ConfigOptions } from '../options/config-options.js';
import type { Output } from '../output.js';
import { runTraining } from '../run-training.js';

interface TrainOptions extends ConfigOptions, BackendOptions {
  readonly out: string;
  readonly from?: string;
  readonly resume?: true;
  readonly json?: true;
}

async function runTrain(output: Output, options: TrainOptions): Promise<void> {
  const resumeCommand = `gess train --out ${options.out} --resume`;
  const { run, finished } = await runTraining(output, {
    folder: options.out,
    config: configFrom(options),
    settings: options.set,
    from: options.from,
    resume: options.resume === true,
    backend: options.backend,
    resumeCommand,
  });
  const metrics = await readRecords(run.paths, 'metrics');
  const generation = Math.max(0, ...metrics.map((record) => record.generation));
  const hasGate = run.config.gate.games > 0;
  // The newest may be one that the gate has sent back.
  const playing = hasGate ? playingGeneration(await readRecords(run.paths, 'gates'), generation) : generation;
  const checkpoint = run.paths.checkpoint(playing);
  if (options.json === true) output.result(JSON.stringify({ finished, generation, playing, checkpoint }));
  else if (finished && playing < generation) {
    output.result(`finished: generation ${playing}, the newest that passed the gate, is in ${checkpoint}`);
  } else if (finished) output.result(`finished: generation ${generation} is in ${checkpoint}`);
  else {
    const half = await findHalfLearnt(run.paths.learning);
    const kept = half && `; of generation ${half.generation}, ${half.step} of ${half.steps} steps are kept`;
    output.result(`stopped after generation ${generation}${kept ?? ''}; go on with: ${resumeCommand}`);
  }
}

/** `gess train`: the whole loop, from games to networks. */
export function trainCommand(output: Output): Command {
  const command = new Command('train')
    .description('train a network by self-play: games, learning, evaluation, generation by generation')
    .requiredOption('--out <folder>', 'the folder of the run')
    .option('--from <folder>', 'a checkpoint to begin from; its game and network must fit')
    .option('--resume', 'go on with the run in the folder')
    .addOption(backendOption())
    .option('--json', 'print one JSON object at the end');
  addConfigOptions(command, 'the configuration of a new run, or of one that goes on').action(
    (options: TrainOptions) => runTrain(output, options),
  );
  return addExamples(
    command,
    [
      'gess train --preset tiny --out runs/tiny',
      'gess train --out runs/tiny --resume --set generations=6',
      'gess train --preset small --from models/gess/checkpoint --out runs/mine --set learner.batchSize=256',
    ],
    'docs/training.md',
  );
}
