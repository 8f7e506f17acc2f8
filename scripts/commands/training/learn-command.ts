import { type Command, Option } from '@commander-js/extra-typings';
import { formatPercent } from '../../../env/text/percent.js';
import { expectPlaceForOutput } from '../../../data/files/output-folder.js';
import type { LearnStatistics } from '../../../training/learning/learn-statistics.js';
import type { LearnerLosses } from '../../../training/learning/loss-means.js';
import { learnFromShards } from '../../../training/learning/shard-learning.js';
import { AUXILIARY_HEADS } from '../../../training/network/heads/head-table.js';
import {
  describeSize,
  multiplyAccumulates,
  parameterCount,
} from '../../../training/network/parameter-specs.js';
import { backendOption } from '../../options/backend-option.js';
import { configAndNamedParts, presetHelp, presetOption, setOption } from '../../options/config-options.js';
import { seedNumber, wholeNumber } from '../../options/numbers.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { loadForLearner } from '../../training/learner-tensorflow.js';
import { configGameOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';
import { createProgress } from '../../progress/progress.js';
import { listingNotes } from '../../progress/listing-notes.js';
import { listenForStop } from '../../stopping/stop-signal.js';

const declareFlags = (command: Command) =>
  command
    .requiredOption('--data <paths...>', 'folders of shards, searched recursively, or shards')
    .requiredOption('--out <folder>', 'folder of the new checkpoint; must not exist')
    .option('--from <folder>', 'the checkpoint to start from')
    .option('--steps <n>', 'training steps (default: passes over the rows)', wholeNumber(1e9))
    .option('--seed <n>', "seed of weights and row order (default: the checkpoint's state)", seedNumber)
    .addOption(backendOption)
    .option('--json', 'print one JSON object')
    .addHelpText('after', presetHelp())
    .addOption(
      new Option(
        '--config <file>',
        'configuration of a run (JSON): learner, replay, game and network; with --from, game and network must match if named, but the checkpoint may have fewer channels and blocks',
      ).conflicts('preset'),
    )
    .addOption(presetOption)
    .addOption(configGameOption)
    .addOption(setOption);

type LearnOptions = OptionsOf<typeof declareFlags>;

function formatLosses(name: string, losses: LearnerLosses): string {
  const { policyLoss, valueLoss, policyAccuracy, policyEntropy } = losses;
  const accuracy = policyAccuracy === null ? 'none' : formatPercent(policyAccuracy);
  return (
    `${name}: policy loss ${formatLoss(policyLoss)}, best move ${accuracy}, ` +
    `entropy ${formatLoss(policyEntropy)}, value loss ${formatLoss(valueLoss)}${formatOtherLosses(losses)}`
  );
}

function formatLoss(loss: number | null): string {
  return loss?.toFixed(4) ?? 'none';
}

/** The losses of the network's auxiliary heads. */
function formatOtherLosses(losses: LearnerLosses): string {
  return AUXILIARY_HEADS.map(({ title, label }) => {
    const loss = losses[`${label}Loss`];
    return loss === null ? '' : `, ${title} ${formatLoss(loss)}`;
  }).join('');
}

function formatValidation({ validation, validationOfLast }: LearnStatistics): readonly string[] {
  if (validation === null) return [];
  const { calibration } = validation;
  const lines = [formatLosses('validation', validation)];
  if (validationOfLast !== null) lines.push(formatLosses('without averaging', validationOfLast));
  if (calibration !== null) {
    lines.push(
      `calibration error ${calibration.error.toFixed(3)}: mean distance of values and results of ${calibration.rows} held-back positions, by bins`,
    );
  }
  return lines;
}

function formatStatistics(checkpoint: string, statistics: LearnStatistics): string {
  const { training, steps, samplesPerSecond, gradientNoiseScale, deadUnits } = statistics;
  return [
    formatLosses('training', training),
    ...formatValidation(statistics),
    ...(gradientNoiseScale === null
      ? []
      : [`gradient noise scale: ${Math.round(gradientNoiseScale)} samples`]),
    ...(deadUnits ? [`dead units: ${deadUnits}; gess learn --from replaces them`] : []),
    `${steps} steps, ${Math.round(samplesPerSecond)} samples a second; wrote ${checkpoint}`,
  ].join('\n');
}

async function runLearn(output: Output, options: LearnOptions): Promise<void> {
  const { config, named } = await configAndNamedParts(options);
  const { data, out, from, steps, seed } = options;
  await expectPlaceForOutput(out, 'checkpoint');
  const { tf, backend } = await loadForLearner(output, { learner: config.learner, backend: options.backend });
  const progress = createProgress(output, 'steps');
  const stop = listenForStop(output, {
    hint: `The checkpoint of the steps so far will be in ${out}; --from ${out} continues from it.`,
    action: 'finishing the step in progress',
  });
  try {
    progress.start('gess: learning');
    const onStep = (step: number, total: number): void => {
      progress.update(step, total);
    };
    const observers = { onStep, signal: stop.signal, ...listingNotes(output) };
    const request = { tf, config, named, data, out, from, steps, seed, ...observers };
    const { statistics, shape, ...result } = await learnFromShards(request);
    progress.stop();
    if (result.finished) stop.done();
    output.message(`gess: a network of ${describeSize(shape)}`);
    const size = { parameters: parameterCount(shape), multiplyAccumulates: multiplyAccumulates(shape) };
    const json = JSON.stringify({ ...result, backend, ...size, ...statistics });
    output.result(options.json === true ? json : formatStatistics(out, statistics));
  } finally {
    progress.stop();
    stop.dispose();
  }
}

/** `gess learn`: one generation of learning from shards, outside a run. */
export function defineLearn(command: Command, output: Output): void {
  declareFlags(command).action((options) => runLearn(output, options));
}
