import { type Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { findHalfLearnt } from '../../../training/learning/halfway-folder.js';
import { playingGeneration } from '../../../training/run/gate-records.js';
import { readRunFile } from '../../../training/run/run-folder.js';
import { readRecords } from '../../../training/run/run-record-file.js';
import { backendOption } from '../../options/backend-option.js';
import {
  configFrom,
  configOrDefaults,
  presetHelp,
  presetOption,
  setOption,
} from '../../options/config-options.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { configGameOption, expectOwnGame } from '../../options/game-options.js';
import { expectNoIdlePoolOptions } from '../../options/idle-options.js';
import { anyProcessorOption, poolOption, replayShareOption } from '../../options/pool-option.js';
import type { Output } from '../../output.js';
import { runTraining } from '../../training/run-training.js';
import { shellWord } from '../../text/shell-word.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption('--out <folder>', 'the folder of the run')
    .option(
      '--from <folder>',
      'checkpoint to start from; its game and network must match, but it may have fewer channels and blocks',
    )
    .option('--resume', 'resume the run in the folder')
    .addOption(backendOption)
    .addOption(poolOption)
    .addOption(anyProcessorOption)
    .addOption(replayShareOption)
    .option('--json', 'print one JSON object at the end')
    .addHelpText('after', presetHelp())
    .addOption(
      new Option('--config <file>', 'the configuration of a new or a resumed run (JSON)').conflicts('preset'),
    )
    .addOption(presetOption)
    .addOption(configGameOption)
    .addOption(setOption);

type TrainOptions = OptionsOf<typeof declareFlags>;

/** @throws UsageError if `--game` names another game than that of the run to resume; errors of `readRunFile`. */
async function expectGameOfRun(command: CommandUnknownOpts, folder: string): Promise<void> {
  const found = await readRunFile(folder);
  if (found !== null) expectOwnGame(command, found.config.game.id, `the run in ${folder}`);
}

async function runTrain(command: CommandUnknownOpts, output: Output, options: TrainOptions): Promise<void> {
  expectNoIdlePoolOptions(command, options);
  if (options.resume === true) await expectGameOfRun(command, options.out);
  // --game alone begins a run with the defaults.
  const isNewGame = options.game !== undefined && options.resume !== true;
  const resumeCommand = `gess train --out ${shellWord(options.out)} --resume`;
  const { run, finished } = await runTraining(output, {
    folder: options.out,
    config: await (isNewGame ? configOrDefaults(options) : configFrom(options)),
    settings: options.set,
    from: options.from,
    resume: options.resume === true,
    backend: options.backend,
    pool: options.pool,
    anyProcessor: options.anyProcessor,
    replayShare: options.replayShare,
    resumeCommand,
  });
  const metrics = await readRecords(run.paths, 'metrics');
  const generation = Math.max(0, ...metrics.map((record) => record.generation));
  const hasGate = run.config.gate.games > 0;
  // The gate may have rejected the newest generation.
  const playing = hasGate ? playingGeneration(await readRecords(run.paths, 'gates'), generation) : generation;
  const checkpoint = run.paths.checkpoint(playing);
  if (options.json === true) output.result(JSON.stringify({ finished, generation, playing, checkpoint }));
  else if (finished && playing < generation) {
    output.result(`finished: generation ${playing}, the newest that passed the gate, is in ${checkpoint}`);
  } else if (finished) output.result(`finished: generation ${generation} is in ${checkpoint}`);
  else {
    const half = await findHalfLearnt(run.paths.learning);
    const kept = half && `; of generation ${half.generation}, ${half.step} of ${half.steps} steps are kept`;
    output.result(`stopped after generation ${generation}${kept ?? ''}; resume with: ${resumeCommand}`);
  }
}

/** `gess train`: the whole loop, from games to networks. */
export function defineTrain(command: Command, output: Output): void {
  const train = declareFlags(command);
  train.action((options) => runTrain(train, output, options));
}
