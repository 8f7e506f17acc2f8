import { join } from 'node:path';
import { addPositions, DistinctCounter } from '../../data/datasets/distinct-counter.js';
import { ReplayWindow } from '../../data/datasets/replay-window.js';
import { createGame } from '../../env/games.js';
import { readCheckpoint, writeCheckpoint } from '../checkpoints/checkpoint-folder.js';
import { calibrateOnWindow } from '../checkpoints/checkpoint-calibration.js';
import type { RunConfig } from '../config/run-config.js';
import { removeSavedLearner, resumeLearning } from '../learning/halfway-folder.js';
import { stepsFor } from '../learning/learner-steps.js';
import { learnNextCheckpoint, type NextCheckpoint } from '../learning/next-checkpoint.js';
import { pastGenerations, planReplay, type ReplayPlan } from '../learning/replay-plan.js';
import { findLearntShards } from '../run/learnt-shards.js';
import type { Run } from '../run/run-folder.js';
import { readRecords, writeRecord } from '../run/run-record-file.js';
import type { MetricsRecord } from '../run/run-records.js';
import { writeRunEvents } from '../run/tensorboard/run-events.js';
import { runningBackend } from '../tensorflow/backend.js';
import type { PlayedGeneration } from './games-stage.js';
import { LearningCurve } from './learning-curve.js';
import type { LoopServices, StageEnd } from './loop-services.js';

/** A generation whose games have been played. */
export interface LearningInput {
  readonly generation: number;
  readonly played: PlayedGeneration;
}

/** The rows from which a generation learns. */
interface OpenWindow {
  readonly window: ReplayWindow;
  readonly plan: ReplayPlan;
  /** Distinct positions of the generation's own games. */
  readonly distinctPositions: number;
}

async function openWindow(
  { config, paths }: Run,
  { generation, played }: LearningInput,
): Promise<OpenWindow> {
  const { replay, warmStart } = config;
  const records = (await readRecords(paths, 'metrics')).filter((record) => record.generation < generation);
  const now = { generation, rows: played.games.learntPositions };
  const plan = planReplay(replay, pastGenerations(records), now, warmStart.games > 0);
  const own = played.shards.map(({ name }) => join(paths.data(generation), name));
  const shardsOf = async (each: number): Promise<readonly string[]> =>
    each === generation ? own : findLearntShards(paths, records, each);
  const warm = plan.warmStartShare > 0 ? await shardsOf(1) : [];
  const shards = [...warm];
  const distinct = new DistinctCounter();
  for (const each of plan.generations) shards.push(...(await shardsOf(each)));
  const window = await ReplayWindow.open(shards, {
    game: createGame(config.game.id, config.game.rules),
    validationShare: replay.validationShare,
    memoryBytes: replay.memoryMiB * 2 ** 20,
    apart: { shards: warm.length, share: plan.warmStartShare },
    onShard: (path, columns) => {
      if (own.includes(path)) addPositions(distinct, columns);
    },
  });
  return { window, plan, distinctPositions: distinct.count };
}

/** Number of the learner's steps for the games of a generation. */
function stepsOf({ warmStart, learner }: RunConfig, { generation, played }: LearningInput): number {
  const isWarm = warmStart.games > 0 && generation === 1;
  return stepsFor(played.games.learntPositions, isWarm ? learner.warmStartPasses : learner.passes, learner);
}

/** Takes the learner's steps, resuming from saved ones; null if the signal came before the last step. */
async function takeSteps(
  run: Run,
  input: LearningInput,
  window: ReplayWindow,
  { tf, observer, signal, now }: LoopServices,
): Promise<NextCheckpoint | null> {
  const { config, paths, configDigest } = run;
  const { learner, seed } = config;
  const { generation } = input;
  const steps = stepsOf(config, input);
  const learning = { generation, steps, configDigest };
  const resumable = await resumeLearning(paths.learning, learning, learner.saveEvery);
  const taken = resumable.halfway?.counters.step ?? 0;
  const resumed = taken > 0 ? `, ${taken} done` : '';
  observer.onStage(
    'learning',
    generation,
    `${steps} steps on ${window.trainingRows.length} positions${resumed}`,
  );
  const before = await readCheckpoint(paths.checkpoint(generation - 1));
  const optimizerSteps = before.optimizer?.step ?? 0;
  const curve = await LearningCurve.open(
    paths,
    { generation, steps, optimizerSteps, config: learner },
    { observer, now },
  );
  const next = await learnNextCheckpoint({
    tf,
    window,
    steps,
    before,
    config: learner,
    configDigest,
    ...resumable,
    signal,
    seed: undefined,
    defaultSeed: seed,
    failureFolder: paths.folder,
    onStep: (step, losses) => {
      observer.onProgress(step, steps);
      curve.add(step, losses);
    },
  }).catch(async (error: unknown) => {
    // The points before a loss that is not finite show how it came about.
    await curve.flush().catch(() => undefined);
    throw error;
  });
  await curve.flush();
  return next.statistics.steps < steps ? null : next;
}

/**
 * Makes the generation's checkpoint by training the previous network on the window. If the signal comes first, saves
 * the learner instead, and the next call resumes from there.
 *
 * @throws TrainingError `run-damaged` for records or shards that are missing or damaged; as `learnNextCheckpoint` does;
 *   DataError for files that cannot be read or written.
 */
export async function learnGeneration(
  run: Run,
  input: LearningInput,
  services: LoopServices,
): Promise<StageEnd> {
  const { config, paths } = run;
  const { generation, played } = input;
  const { tf, pool, observer, now } = services;
  const { window, plan, distinctPositions } = await openWindow(run, input);
  const next = await takeSteps(run, input, window, services);
  if (next === null) return 'stopped';
  const { checkpoint, statistics } = next;
  const calibration = await calibrateOnWindow(tf, checkpoint, window, config.selfPlay.precision);
  const record: MetricsRecord = {
    generation,
    time: now() / 1000,
    ...played,
    learning: statistics,
    distinctPositions,
    windowRows: window.rows,
    replay: {
      ...plan,
      trainingRows: window.trainingRows.length,
      passes: (statistics.samples * (1 - plan.warmStartShare)) / window.ordinaryRows,
    },
    backend: runningBackend(tf),
    processId: process.pid,
    tensors: tf.memory().numTensors,
    residentBytes: process.memoryUsage.rss(),
    workerBytes: pool.residentBytes(),
    ...(pool.summary && { machines: pool.summary() }),
  };
  // The record precedes the checkpoint, which marks the generation as done.
  await writeRecord(paths, 'metrics', record);
  await writeCheckpoint(paths.checkpoint(generation), checkpoint, calibration);
  await removeSavedLearner(paths.learning);
  await writeRunEvents(paths);
  observer.onMetrics(record);
  return 'done';
}
