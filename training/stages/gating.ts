import { exists } from '../../data/files/atomic-file.js';
import { createRng } from '../../env/random.js';
import { TrainingError } from '../training-error.js';
import type { LoopServices } from './loop-services.js';
import { networkAgent } from '../matches/network-agent.js';
import { missingGenerations, readRecords, writeRecord } from '../run/run-record-file.js';
import type { Run, RunPaths } from '../run/run-folder.js';
import type { GateRecord } from '../run/run-records.js';
import { writeRunEvents } from '../run/tensorboard/run-events.js';

/** Which generation plays self-play after `generation` has played its match: the newest that passed, or else 0. */
export function playingGeneration(
  records: readonly Pick<GateRecord, 'generation' | 'passed'>[],
  generation: number,
): number {
  const passed = records.filter((record) => record.passed && record.generation <= generation);
  return Math.max(0, ...passed.map((record) => record.generation));
}

/** The records of a run's gate; none where there is none. Throws what `readRecords` throws. */
export async function readGates({ gates }: Pick<RunPaths, 'gates'>): Promise<readonly GateRecord[]> {
  return readRecords<GateRecord>(gates);
}

/**
 * Which network plays self-play once `generation` is learnt: that one, or with a gate the newest that has passed it.
 *
 * @throws TrainingError `run-damaged` where a match is missing from the records; what `readRecords` throws.
 */
export async function findPlayingGeneration({ config, paths }: Run, generation: number): Promise<number> {
  if (config.gate.games === 0) return generation;
  const records = await readGates(paths);
  const [missing] = missingGenerations(records, generation);
  if (missing === undefined) return playingGeneration(records, generation);
  throw new TrainingError('run-damaged', `expected the match of generation ${missing} in ${paths.gates}`);
}

/** The match's own openings: drawn anew for each generation, so that none is learnt by heart. */
function seedOf({ config }: Run, generation: number): number {
  return createRng(config.seed, 'gate', generation).integer(2 ** 31);
}

/**
 * Lets `generation` play for the place of the one that plays self-play, if there is a gate and the match is not recorded
 * yet. Not to be called before the gates of all earlier ones.
 *
 * After the evaluator of Silver et al. 2017, "Mastering the game of Go without human knowledge": only a network that
 * scores enough against the best one so far plays self-play.
 *
 * @throws TrainingError `run-damaged` where the checkpoints for it are gone; what `WorkerPool.playMatch` throws.
 */
export async function passGate(
  run: Run,
  generation: number,
  { pool, observer, signal, now }: Pick<LoopServices, 'pool' | 'observer' | 'signal' | 'now'>,
): Promise<void> {
  const { config, paths } = run;
  const { games, score, simulations, openingPlies } = config.gate;
  if (games === 0 || signal.aborted) return;
  if ((await readGates(paths)).some((record) => record.generation === generation)) return;
  const opponent = await findPlayingGeneration(run, generation - 1);
  const folders = [generation, opponent].map((each) => paths.checkpoint(each)) as [string, string];
  for (const folder of folders) {
    if (await exists(folder)) continue;
    throw new TrainingError(
      'run-damaged',
      `expected the match of generation ${generation} in ${paths.gates}, or ${folder}`,
    );
  }
  observer.onStage('gate', generation, `${games} games with generation ${opponent}`);
  const [agent, other] = folders.map((folder) => networkAgent(folder, simulations)) as [string, string];
  const seed = seedOf(run, generation);
  const result = await pool.playMatch(
    { game: config.game, agent, opponent: other, games, seed, openingPlies },
    (finished) => {
      observer.onProgress(finished, games);
    },
  );
  const passed = result.score >= score;
  const record: GateRecord = { generation, opponent, games, passed, ...result, time: now() / 1000 };
  await writeRecord(paths.gates, record);
  await writeRunEvents(paths);
  observer.onGate(record);
}
