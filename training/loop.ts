import { join } from 'node:path';
import { exists, makeFolder, removeStaleTemporaries } from '../data/files/atomic-file.js';
import { ReplayWindow } from '../data/datasets/replay-window.js';
import { createGame } from '../env/games.js';
import type { Game } from '../env/game.js';
import { runningBackend } from './tensorflow/backend.js';
import { checkpointModelPath } from './checkpoints/checkpoint-files.js';
import { readCheckpoint, writeCheckpoint } from './checkpoints/checkpoint-folder.js';
import type { RunConfig } from './config/run-config.js';
import { TrainingError } from './training-error.js';
import { findPlayingGeneration, passGate } from './stages/gating.js';
import { findHalfLearnt, removeSavedLearner, resumeLearning } from './learning/halfway-folder.js';
import { firstCheckpoint, learnNextCheckpoint, stepsFor } from './learning/next-checkpoint.js';
import { pastGenerations, planReplay, type ReplayPlan } from './learning/replay-plan.js';
import { expectWholeMetrics, findLearntShards, learntShards } from './run/learnt-shards.js';
import type { LoopServices } from './stages/loop-services.js';
import { networkAgent } from './matches/network-agent.js';
import { calibrateOnCarefulPositions, calibrateOnWindow } from './checkpoints/checkpoint-calibration.js';
import { readRecords, writeRecord } from './run/run-record-file.js';
import { listCheckpoints, type Run } from './run/run-folder.js';
import { generationsWithLosses, removedGenerations, removeObsolete } from './run/retention.js';
import { originCheckpoint } from './run/run-origin.js';
import type { EvaluationRecord, LearntShard, MetricsRecord } from './run/run-records.js';
import { archiveGenerations, archiveOf, type ArchiveShard } from './self-play/archive.js';
import { calibrateResignation } from './self-play/resignation.js';
import { GameStatistics, sumStatistics } from './self-play/self-play-statistics.js';
import { grownSettings } from './self-play/search-growth.js';
import { type GameSource, planShards, type ShardPlan } from './self-play/shard-job.js';
import type { JobEffort } from './self-play/shard-play.js';
import { softwareVersion } from './software-version.js';
import type { Tensorflow } from './tensorflow/tensorflow.js';
import { writeRunEvents } from './run/tensorboard/run-events.js';

export type { LoopObserver, LoopServices, Stage } from './stages/loop-services.js';
export type {
  EvaluationRecord,
  GateRecord,
  LearntShard,
  MetricsRecord,
  TimedRecord,
} from './run/run-records.js';

/** The name under which generation 0 is an opponent in evaluations. */
export const FIRST_GENERATION = 'generation-0';

/**
 * A whole run: generation 0 is the untrained network, or a checkpoint that the run was begun from;
 * each later one learns from games of the one before it, or where there is a gate of the newest that has passed it
 * (the first from a warm start's games, where there is one) and, now and then, plays matches.
 *
 * What is done already is not done again: every stage looks for its own result first. So a run that was
 * killed anywhere goes on from there, to the same bytes of shards and checkpoints.
 *
 * @returns whether the run is finished; false when `signal` ended it before.
 */
export async function train(run: Run, services: LoopServices): Promise<boolean> {
  const game = createGame(run.config.game.id, run.config.game.rules);
  await sweep(run);
  await expectWholeMetrics(run.paths, (await listCheckpoints(run.paths)).at(-1) ?? 0);
  await ensureFirstCheckpoint(run, services.tf);
  await writeRunEvents(run.paths);
  if (!(await replayLostShards(run, services))) return false;
  await evaluateGeneration(run, 0, services);
  const isStopped = (): boolean => services.signal.aborted;
  for (let generation = 1; generation <= run.config.generations; generation++) {
    if (isStopped()) return false;
    if (!(await isLearnt(run, generation))) {
      const played = await playGeneration(run, generation, services);
      if (played === null) return false;
      await learnGeneration(run, { game, generation, played }, services);
    }
    if (isStopped()) return false;
    await passGate(run, generation, services);
    await evaluateGeneration(run, generation, services);
    if (!isStopped()) await removeObsolete(run, generation);
  }
  return !isStopped();
}

/** Whether the generation has a checkpoint, or had one until the rule removed it. */
async function isLearnt({ paths }: Run, generation: number): Promise<boolean> {
  if (await exists(paths.checkpoint(generation))) return true;
  return (await removedGenerations(paths, 'checkpoint')).has(generation);
}

/** Removes what a killed process left half-written. */
async function sweep(run: Run): Promise<void> {
  const { paths } = run;
  const folders = [paths.folder, join(paths.folder, 'checkpoints'), join(paths.folder, 'data')];
  for (const folder of folders) {
    await makeFolder(folder);
    await removeStaleTemporaries(folder);
  }
  const halfLearnt = await findHalfLearnt(paths.learning);
  if (halfLearnt !== null && (await isLearnt(run, halfLearnt.generation)))
    await removeSavedLearner(paths.learning);
}

/** Throws TrainingError `run-changed` where the first network that is there is of another run; what `originCheckpoint` does. */
async function ensureFirstCheckpoint(run: Run, tf: Tensorflow): Promise<void> {
  const { config, paths, configDigest, origin } = run;
  const folder = paths.checkpoint(0);
  if (!(await exists(folder))) {
    const first =
      origin === null
        ? { ...firstCheckpoint(config, config.seed), configDigest }
        : await originCheckpoint(origin, config, configDigest);
    const calibration = calibrateOnCarefulPositions(tf, first, config.seed, config.selfPlay.precision);
    await writeCheckpoint(folder, first, calibration);
  } else if ((await readCheckpoint(folder)).configDigest !== configDigest) {
    throw new TrainingError(
      'run-changed',
      `${folder} is of a run with another configuration: use another folder`,
    );
  }
}

/** The games of a generation, as they were played. */
interface PlayedGeneration {
  readonly games: GameStatistics;
  readonly effort: JobEffort;
  readonly shards: readonly LearntShard[];
}

/** Below which value players resign in the games of `generation`: by what was seen in the window before it. */
async function resignValueFor({ config, paths }: Run, generation: number): Promise<number> {
  if (config.selfPlay.resignValue === -1) return -1;
  const oldest = generation - config.replay.windowGenerations;
  const records = await readRecords<MetricsRecord>(paths.metrics);
  const before = records.filter((record) => record.generation >= oldest && record.generation < generation);
  // Read again: records of earlier versions lack some numbers.
  const statistics = before.map(({ games }) => GameStatistics.parse(games));
  return calibrateResignation(config.selfPlay, sumStatistics(statistics));
}

/** The settings of the moves as they were when the run was begun, so that its shards stay known by them. */
function settingsAsWritten({ begunWith }: Run, source: GameSource): object {
  const written = Object(begunWith[source.kind === 'agent' ? 'warmStart' : 'selfPlay']) as object;
  if (source.kind === 'agent') return written;
  const { resignValue, growth, search, cheapSimulations } = source.config;
  return {
    ...written,
    ...('resignValue' in written && { resignValue }),
    ...(growth.generations > 0 && { search, cheapSimulations }),
  };
}

/** The earlier games that those of `generation` may begin in, as part of their source; nothing where there are none. */
async function archiveFor(
  { config, paths }: Run,
  generation: number,
): Promise<{ readonly archive?: readonly ArchiveShard[] }> {
  const generations = archiveGenerations(config.selfPlay.starts, generation);
  if (generations.length === 0) return {};
  const records = await readRecords<MetricsRecord>(paths.metrics);
  const shards: string[] = [];
  for (const each of generations) shards.push(...(await findLearntShards(paths, records, each)));
  return { archive: await archiveOf(shards) };
}

/** Which games generation `generation` learns from: how many, by whom, the number of the first. */
async function planOfGeneration(run: Run, generation: number): Promise<ShardPlan> {
  const { config, paths } = run;
  const { warmStart, selfPlay } = config;
  const isWarm = warmStart.games > 0;
  const player = await findPlayingGeneration(run, generation - 1);
  const selfPlayGenerations = generation - (isWarm ? 2 : 1);
  const source: GameSource =
    isWarm && generation === 1
      ? { kind: 'agent', config: warmStart }
      : {
          kind: 'network',
          modelPath: checkpointModelPath(paths.checkpoint(player), selfPlay.precision),
          config: {
            ...grownSettings(selfPlay, selfPlayGenerations),
            resignValue: await resignValueFor(run, generation),
          },
          ...(await archiveFor(run, generation)),
        };
  return {
    game: config.game,
    source,
    settings: settingsAsWritten(run, source),
    seed: config.seed,
    generation: player,
    firstGame: source.kind === 'agent' ? 0 : warmStart.games + selfPlayGenerations * selfPlay.games,
    games: source.kind === 'agent' ? warmStart.games : selfPlay.games,
    gamesPerShard: selfPlay.gamesPerShard,
    folder: paths.data(generation),
    softwareVersion: softwareVersion(),
  };
}

/** Plays the games of a generation, those that are not there yet; null when `signal` came first. */
async function playGeneration(
  run: Run,
  generation: number,
  { pool, observer, signal }: LoopServices,
): Promise<PlayedGeneration | null> {
  const plan = await planOfGeneration(run, generation);
  const who = plan.source.kind === 'agent' ? plan.source.config.agent : `generation ${plan.generation}`;
  observer.onStage('games', generation, `${plan.games} games by ${who}`);
  await makeFolder(plan.folder);
  await removeStaleTemporaries(plan.folder);
  const jobs = await planShards(plan);
  const reports = await pool.playShards(jobs, {
    signal,
    onGame: (finished) => {
      observer.onProgress(finished, plan.games);
    },
  });
  if (reports.length < jobs.length) return null;
  const efforts = reports.flatMap(({ effort }) => (effort === null ? [] : [effort]));
  const total = (key: keyof JobEffort): number => efforts.reduce((sum, effort) => sum + effort[key], 0);
  return {
    games: sumStatistics(reports.map(({ statistics }) => statistics)),
    effort: {
      seconds: total('seconds'),
      networkEvaluations: total('networkEvaluations'),
      cacheHits: total('cacheHits'),
    },
    shards: await learntShards(jobs.map(({ path }) => path)),
  };
}

/**
 * Plays games again whose shards are gone, to the same bytes, where what they began from is still there.
 *
 * @returns false when `signal` ended it before.
 */
async function replayLostShards(run: Run, services: LoopServices): Promise<boolean> {
  const { config, paths } = run;
  for (const generation of await generationsWithLosses(paths)) {
    const archive = archiveGenerations(config.selfPlay.starts, generation);
    const player = await findPlayingGeneration(run, generation - 1);
    const needed = [paths.checkpoint(player), ...archive.map((each) => paths.data(each))];
    const areThere = await Promise.all(needed.map((folder) => exists(folder)));
    if (areThere.includes(false)) continue;
    if ((await playGeneration(run, generation, services)) === null) return false;
  }
  return true;
}

/** The window that `generation` learns from, and what of it is known before learning. */
async function openWindow(
  { config, paths }: Run,
  { game, generation, played }: { game: Game<unknown>; generation: number; played: PlayedGeneration },
): Promise<{ window: ReplayWindow; plan: ReplayPlan }> {
  const { replay, warmStart } = config;
  const records = (await readRecords<MetricsRecord>(paths.metrics)).filter(
    (record) => record.generation < generation,
  );
  const past = pastGenerations(records);
  const now = { generation, rows: played.games.positions };
  const plan = planReplay(replay, past, now, warmStart.games > 0);
  const shardsOf = async (each: number): Promise<readonly string[]> =>
    each === generation
      ? played.shards.map(({ name }) => join(paths.data(each), name))
      : findLearntShards(paths, records, each);
  const warm = plan.warmStartShare > 0 ? await shardsOf(1) : [];
  const shards = [...warm];
  for (const each of plan.generations) shards.push(...(await shardsOf(each)));
  const window = await ReplayWindow.open(shards, {
    game,
    validationShare: replay.validationShare,
    surpriseShare: replay.surpriseShare,
    memoryBytes: replay.memoryMiB * 2 ** 20,
    apart: { shards: warm.length, share: plan.warmStartShare },
  });
  return { window, plan };
}

/** Steps that a generation learns from its games, of so many rows. */
function stepsOf({ warmStart, learner }: RunConfig, generation: number, rows: number): number {
  const isWarm = warmStart.games > 0 && generation === 1;
  return stepsFor(rows, isWarm ? learner.warmStartPasses : learner.passes, learner);
}

/**
 * Makes the generation's checkpoint: the network before it, and what it learnt from the window. Where `signal` comes
 * first, what is half learnt is saved instead, for the next call to go on with.
 */
async function learnGeneration(
  run: Run,
  { game, generation, played }: { game: Game<unknown>; generation: number; played: PlayedGeneration },
  { tf, pool, observer, signal, now }: LoopServices,
): Promise<void> {
  const { config, paths, configDigest } = run;
  const { learner } = config;
  const { window, plan } = await openWindow(run, { game, generation, played });
  const steps = stepsOf(config, generation, played.games.positions);
  const learning = { generation, steps, configDigest };
  const resumable = await resumeLearning(paths.learning, learning, learner.saveEvery);
  const done = resumable.halfway?.counters.step ?? 0;
  const positions = `${window.trainingRows.length} positions`;
  observer.onStage(
    'learning',
    generation,
    `${steps} steps on ${positions}${done > 0 ? `, ${done} done` : ''}`,
  );
  const { checkpoint, statistics } = await learnNextCheckpoint({
    tf,
    window,
    mergeEqual: config.replay.mergeEqual,
    steps,
    before: await readCheckpoint(paths.checkpoint(generation - 1)),
    config: learner,
    configDigest,
    ...resumable,
    signal,
    seed: undefined,
    defaultSeed: config.seed,
    failureFolder: paths.folder,
    onStep: (step) => {
      observer.onProgress(step, steps);
    },
  });
  if (statistics.steps < steps) return;
  const calibration = calibrateOnWindow(tf, checkpoint, window, config.selfPlay.precision);
  const record: MetricsRecord = {
    generation,
    time: now() / 1000,
    ...played,
    learning: statistics,
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
  };
  // Before the checkpoint, which marks the generation as done.
  await writeRecord(paths.metrics, record);
  await writeCheckpoint(paths.checkpoint(generation), checkpoint, calibration);
  await removeSavedLearner(paths.learning);
  await writeRunEvents(paths);
  observer.onMetrics(record);
}

/** Whom the generation plays, by name and agent's text; nobody where it is not its turn. */
function opponentsOf({ config, paths }: Run, generation: number): readonly { key: string; agent: string }[] {
  const { every, opponents, simulations, playsFirst } = config.evaluation;
  const isDue = every > 0 && (generation % every === 0 || generation === config.generations);
  if (!isDue) return [];
  const fixed = opponents.map((agent) => ({ key: agent, agent }));
  if (generation === 0 || !playsFirst) return fixed;
  return [...fixed, { key: FIRST_GENERATION, agent: networkAgent(paths.checkpoint(0), simulations) }];
}

/** Plays the generation's matches that are not recorded yet; none where its checkpoint was removed. */
async function evaluateGeneration(
  run: Run,
  generation: number,
  { pool, observer, signal, now }: LoopServices,
): Promise<void> {
  const { config, paths } = run;
  const { games, simulations, openingPlies } = config.evaluation;
  if (!(await exists(paths.checkpoint(generation)))) return;
  const done = await readRecords<EvaluationRecord>(paths.evaluations);
  for (const { key, agent } of opponentsOf(run, generation)) {
    if (signal.aborted) return;
    if (done.some((record) => record.generation === generation && record.key === key)) continue;
    observer.onStage('evaluation', generation, `${games} games with ${key}`);
    const result = await pool.playMatch(
      {
        game: config.game,
        agent: networkAgent(paths.checkpoint(generation), simulations),
        opponent: agent,
        games,
        seed: config.seed,
        openingPlies,
      },
      (finished) => {
        observer.onProgress(finished, games);
      },
    );
    const record: EvaluationRecord = { generation, key, games, ...result, time: now() / 1000 };
    await writeRecord(paths.evaluations, record);
    await writeRunEvents(paths);
    observer.onEvaluation(record);
  }
}
