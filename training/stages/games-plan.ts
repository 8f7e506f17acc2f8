import { checkpointModelPath } from '../checkpoints/checkpoint-files.js';
import { findPlayingGeneration } from '../run/gate-records.js';
import type { Run } from '../run/run-folder.js';
import { readRecords } from '../run/run-record-file.js';
import { calibrateResignation } from '../self-play/resignation.js';
import { sumStatistics } from '../self-play/self-play-statistics.js';
import type { GameSource, ShardPlan } from '../self-play/shard-job.js';
import { softwareVersion } from '../software-version.js';

/**
 * The value below which players resign in the games of `generation`, calibrated on the games of the
 * `replay.windowGenerations` generations before it, whatever the kind of window from which the network learns.
 */
async function resignValueFor({ config, paths }: Run, generation: number): Promise<number> {
  if (config.selfPlay.resignValue === -1) return -1;
  const oldest = generation - config.replay.windowGenerations;
  const records = await readRecords(paths, 'metrics');
  const before = records.filter((record) => record.generation >= oldest && record.generation < generation);
  return calibrateResignation(config.selfPlay, sumStatistics(before.map(({ games }) => games)));
}

/**
 * Plans the games from which `generation` learns: for generation 1 those of the warm start, if the run has one; else
 * self-play by the previous generation or, with a gate, by the newest that passed it.
 *
 * @throws TrainingError `run-damaged` for records or shards that are missing or damaged; DataError for files that
 *   cannot be read.
 */
export async function planGeneration(run: Run, generation: number): Promise<ShardPlan> {
  const { config, paths } = run;
  const { warmStart, selfPlay } = config;
  const isWarm = warmStart.games > 0;
  const player = await findPlayingGeneration(run, generation - 1);
  const common = {
    game: config.game,
    seed: config.seed,
    generation: player,
    gamesPerShard: selfPlay.gamesPerShard,
    folder: paths.data(generation),
    softwareVersion: softwareVersion(),
  };
  if (isWarm && generation === 1) {
    return { ...common, source: { kind: 'agent', config: warmStart }, firstGame: 0, games: warmStart.games };
  }
  const selfPlayGenerations = generation - (isWarm ? 2 : 1);
  const source: GameSource = {
    kind: 'network',
    modelPath: checkpointModelPath(paths.checkpoint(player), selfPlay.precision),
    config: { ...selfPlay, resignValue: await resignValueFor(run, generation) },
  };
  const firstGame = warmStart.games + selfPlayGenerations * selfPlay.games;
  return { ...common, source, firstGame, games: selfPlay.games };
}
