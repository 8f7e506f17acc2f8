import type { Command } from '@commander-js/extra-typings';
import { expectPlaceForOutput } from '../../../data/files/output-folder.js';
import { countOf } from '../../../env/text/count-of.js';
import { averageCheckpoints, readAlike } from '../../../training/checkpoints/averaged-checkpoint.js';
import {
  CALIBRATION_SEED,
  calibrateOnCarefulPositions,
  calibrateOnWindow,
} from '../../../training/checkpoints/checkpoint-calibration.js';
import { networkForPlay } from '../../../training/checkpoints/checkpoint.js';
import { writeCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { LearnerConfig } from '../../../training/config/groups/learner-config.js';
import { ReplayConfig } from '../../../training/config/groups/replay-config.js';
import { openShardWindow } from '../../../training/learning/shard-learning.js';
import { expectSample } from '../../../training/learning/units/dead-units.js';
import { alignDeadUnits } from '../../../training/learning/units/unit-alignment.js';
import { backendOption } from '../../options/backend-option.js';
import { expectOwnGame, gameModuleOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';
import { listingNotes } from '../../progress/listing-notes.js';
import { loadForLearner } from '../../training/learner-tensorflow.js';

const declareFlags = (command: Command) =>
  command
    .argument('<first>', 'a checkpoint')
    .argument('<others...>', 'further ones of the same game and size of network')
    .option(
      '--data <paths...>',
      'shards that the networks learnt, or their folders: dead units are aligned on their positions, and int8 ranges measured',
    )
    .requiredOption('--out <folder>', 'folder of the new checkpoint; must not exist')
    .addOption(backendOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object');

function describe(out: string, checkpoints: number, alignedUnits: number | null): string {
  const aligned = alignedUnits === null ? '' : `, ${countOf(alignedUnits, 'dead unit')} aligned`;
  return `wrote ${out}, the mean of ${checkpoints} checkpoints${aligned}; to measure it: gess evaluate --agent mcts:model=${out}`;
}

/** `gess average`: a checkpoint with the mean of the weights of others. */
export function defineAverage(command: Command, output: Output): void {
  const average = declareFlags(command);
  average.action(async (first, others, { data, out, backend, json }) => {
    await expectPlaceForOutput(out, 'checkpoint');
    const checkpoints = await readAlike([first, ...others]);
    const { game } = checkpoints[0];
    expectOwnGame(average, game.id, first);
    const { tf } = await loadForLearner(output, { learner: LearnerConfig.parse({}), backend });
    const replay = { ...ReplayConfig.parse({}), validationShare: 0 };
    const window = data && (await openShardWindow({ data, ...listingNotes(output) }, game, replay));
    const networks = checkpoints.map(networkForPlay);
    const aligned = window && alignDeadUnits(tf, networks, expectSample({ tf, game, window }));
    const checkpoint = averageCheckpoints(checkpoints, aligned?.networks ?? networks);
    const calibration = window
      ? await calibrateOnWindow(tf, checkpoint, window, 'int8')
      : await calibrateOnCarefulPositions(tf, checkpoint, CALIBRATION_SEED);
    await writeCheckpoint(out, checkpoint, calibration);
    const result = {
      checkpoint: out,
      generation: checkpoint.generation,
      checkpoints: checkpoints.length,
      alignedUnits: aligned?.units ?? null,
    };
    output.result(
      json === true ? JSON.stringify(result) : describe(out, checkpoints.length, result.alignedUnits),
    );
  });
}
