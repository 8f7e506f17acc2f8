import type { Command } from '@commander-js/extra-typings';
import { expectPlaceForOutput } from '../../../data/files/output-folder.js';
import { averageCheckpoints } from '../../../training/checkpoints/averaged-checkpoint.js';
import {
  CALIBRATION_SEED,
  calibrateOnCarefulPositions,
} from '../../../training/checkpoints/checkpoint-calibration.js';
import { writeCheckpoint } from '../../../training/checkpoints/checkpoint-folder.js';
import { LearnerConfig } from '../../../training/config/groups/learner-config.js';
import { backendOption } from '../../options/backend-option.js';
import { expectOwnGame, gameModuleOption } from '../../options/game-options.js';
import type { Output } from '../../output.js';
import { loadForLearner } from '../../training/learner-tensorflow.js';

/** `gess average`: a checkpoint with the mean of the weights of others. */
export function defineAverage(command: Command, output: Output): void {
  command
    .argument('<first>', 'a checkpoint')
    .argument('<others...>', 'further ones of the same game and size of network')
    .requiredOption('--out <folder>', 'folder of the new checkpoint; must not exist')
    .addOption(backendOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object')
    .action(async (first, others, { out, backend, json }) => {
      await expectPlaceForOutput(out, 'checkpoint');
      const checkpoint = await averageCheckpoints([first, ...others]);
      expectOwnGame(command, checkpoint.game.id, first);
      const { tf } = await loadForLearner(output, { learner: LearnerConfig.parse({}), backend });
      const calibration = await calibrateOnCarefulPositions(tf, checkpoint, CALIBRATION_SEED);
      await writeCheckpoint(out, checkpoint, calibration);
      const { generation } = checkpoint;
      const result = { checkpoint: out, generation, checkpoints: others.length + 1 };
      output.result(
        json === true
          ? JSON.stringify(result)
          : `wrote ${out}, the mean of ${result.checkpoints} checkpoints; to measure it: gess evaluate --agent mcts:model=${out}`,
      );
    });
}
