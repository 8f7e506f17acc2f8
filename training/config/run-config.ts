import * as z from 'zod';
import { createGame } from '../../env/games.js';
import { findShapeProblem, networkShape } from '../network/network-shape.js';
import { MAX_PARAMETERS, parameterCount } from '../network/parameter-specs.js';
import { EvaluationConfig } from './groups/evaluation-config.js';
import { GameConfig } from '../games/game-config.js';
import { GateConfig } from './groups/gate-config.js';
import { LearnerConfig } from './groups/learner-config.js';
import { ReplayConfig } from './groups/replay-config.js';
import { RetentionConfig } from './groups/retention-config.js';
import { withoutRetiredSettings } from './retired-settings.js';
import { RunNetworkConfig, withoutImpossibleAttention } from './groups/run-network-config.js';
import { TaughtSelfPlayConfig } from './groups/taught-self-play-config.js';
import { MAX_GENERATIONS } from './groups/setting-limits.js';
import { WarmStartConfig } from './groups/warm-start-config.js';

const RunParts = z.strictObject({
  $schema: z.string().optional(),
  seed: z.int().min(0).default(1).meta({ description: 'seed of all random streams of the run' }),
  generations: z
    .int()
    .min(1)
    .max(MAX_GENERATIONS)
    .default(10)
    .meta({ description: 'number of networks to train' }),
  game: GameConfig.prefault({}),
  network: RunNetworkConfig.prefault({}),
  warmStart: WarmStartConfig.prefault({}),
  selfPlay: TaughtSelfPlayConfig.prefault({}),
  learner: LearnerConfig.prefault({}),
  replay: ReplayConfig.prefault({}),
  gate: GateConfig.prefault({}),
  evaluation: EvaluationConfig.prefault({}),
  retention: RetentionConfig.prefault({}),
});

/** The configuration of a whole run, as read by `gess train --config`. */
export const RunConfig = z
  .preprocess(
    (value, context) => withoutImpossibleAttention(withoutRetiredSettings(value, context)),
    RunParts,
  )
  .superRefine(({ game: { id, rules }, network, selfPlay, evaluation }, context) => {
    // Values out of range reach this check too, and a network of 10^15 blocks would have that many parameter specs.
    if (context.issues.length > 0) return;
    const game = createGame(id, rules);
    if (evaluation.precision === 'int8' && selfPlay.precision !== 'int8') {
      const message = 'expected float32: checkpoints have an int8 model only if selfPlay.precision is int8';
      context.addIssue({ code: 'custom', path: ['evaluation', 'precision'], message });
    }
    const problem = findShapeProblem(game, network);
    if (problem !== null) {
      const { setting, message } = problem;
      context.addIssue({ code: 'custom', path: ['network', setting], message });
    } else {
      const parameters = parameterCount(networkShape(game, network));
      const message = `expected a network of at most ${MAX_PARAMETERS} parameters, got ${parameters}`;
      if (parameters > MAX_PARAMETERS) context.addIssue({ code: 'custom', path: ['network'], message });
    }
    if (network.globalPoolEvery > network.blocks) {
      const message = `expected at most network.blocks, ${network.blocks}, got ${network.globalPoolEvery}`;
      context.addIssue({ code: 'custom', path: ['network', 'globalPoolEvery'], message });
    }
  });
export type RunConfig = z.infer<typeof RunConfig>;
