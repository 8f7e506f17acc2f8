import { exists } from '../../data/files/atomic-file.js';
import { createRng } from '../../env/random.js';
import { playOptionsOf } from '../config/groups/evaluation-config.js';
import { networkAgent } from '../matches/network-agent.js';
import { findPlayingGeneration } from '../run/gate-records.js';
import type { Run } from '../run/run-folder.js';
import { readRecords, writeRecord } from '../run/run-record-file.js';
import type { GateRecord } from '../run/run-records.js';
import { writeRunEvents } from '../run/tensorboard/run-events.js';
import { TrainingError } from '../training-error.js';
import type { MatchStageServices, StageEnd } from './loop-services.js';
import { playMatchOfRun } from './match-of-run.js';

/** Seed of the match's openings, different in each generation, so that no network memorises them. */
function seedOf({ config }: Run, generation: number): number {
  return createRng(config.seed, 'gate', generation).integer(2 ** 31);
}

/** Checks that a generation has its checkpoint for the gate match of generation `match`. */
async function expectCheckpoint({ paths }: Run, generation: number, match: number): Promise<void> {
  const folder = paths.checkpoint(generation);
  if (await exists(folder)) return;
  throw new TrainingError(
    'run-damaged',
    `expected the match of generation ${match} in ${paths.gates}, or ${folder}`,
  );
}

/**
 * Plays the match of `generation` against the network that plays self-play, if the run has a gate and the match is not
 * recorded yet. The gate matches of all earlier generations must be recorded.
 *
 * Follows the evaluator of Silver et al. 2017, "Mastering the game of Go without human knowledge": only a network that
 * scores enough against the best one so far plays self-play.
 *
 * @throws TrainingError `run-damaged` if a checkpoint or an earlier record is missing; as `playMatchOfRun` does.
 */
export async function passGate(
  run: Run,
  generation: number,
  { pool, observer, signal, now }: MatchStageServices,
): Promise<StageEnd> {
  const { config, paths } = run;
  const { games, score, simulations, openingPlies } = config.gate;
  if (games === 0) return 'done';
  if ((await readRecords(paths, 'gates')).some((record) => record.generation === generation)) return 'done';
  if (signal.aborted) return 'stopped';
  const opponent = await findPlayingGeneration(run, generation - 1);
  await expectCheckpoint(run, generation, generation);
  await expectCheckpoint(run, opponent, generation);
  observer.onStage('gate', generation, `${games} games with generation ${opponent}`);
  const play = playOptionsOf(config.evaluation);
  const played = await playMatchOfRun(
    run,
    { pool, observer, signal },
    {
      generation,
      key: 'gate',
      games,
      openingPlies,
      seed: seedOf(run, generation),
      agents: (places) => [
        networkAgent(places.checkpoint(generation), simulations, play),
        networkAgent(places.checkpoint(opponent), simulations, play),
      ],
    },
  );
  if (played === null) return 'stopped';
  const { result, ...facts } = played;
  const passed = result.score >= score;
  const record: GateRecord = { generation, opponent, games, passed, ...result, ...facts, time: now() / 1000 };
  await writeRecord(paths, 'gates', record);
  await writeRunEvents(paths);
  observer.onGate(record);
  return 'done';
}
