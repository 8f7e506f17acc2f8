import { readdir, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ReplayWindow } from '../data/replay-window.js';
import { removeStaleTemporaries } from '../data/atomic-file.js';
import { createGame } from '../env/games.js';
import type { Game } from '../env/game.js';
import { createRng, restoreRng, type Rng } from '../env/random.js';
import {
  type Checkpoint,
  checkpointModelPath,
  exists,
  readCheckpoint,
  writeCheckpoint,
} from './checkpoint.js';
import { learn, type LearnStatistics, startLearner } from './learning/learner.js';
import type { MatchResult } from './matches/match.js';
import { createNetwork, networkShape } from './network/network.js';
import { readRecords, type RunRecord, writeRecord } from './record-file.js';
import type { Run } from './run-folder.js';
import { type GameStatistics, sumStatistics } from './self-play/self-play-statistics.js';
import { type GameSource, planShards, type ShardPlan } from './self-play/shard-job.js';
import type { JobEffort } from './self-play/shard-play.js';
import type { Tensorflow } from './tensorflow.js';
import type { WorkerPool } from './workers/worker-pool.js';

/** What a run does at a time. */
export type Stage = 'games' | 'learning' | 'evaluation';

/** Follows a run. */
export interface LoopObserver {
  /** A stage begins; `detail` says more, for people. */
  onStage(stage: Stage, generation: number, detail: string): void;
  /** How much of the stage is done: games or steps. */
  onProgress(done: number, total: number): void;
  onMetrics(record: MetricsRecord): void;
  onEvaluation(record: EvaluationRecord): void;
}

/** A line of `metrics.jsonl`: how a generation came to be. */
export interface MetricsRecord extends RunRecord {
  readonly games: GameStatistics;
  /** Of the games played now; what was there before a restart is not counted. */
  readonly effort: JobEffort;
  readonly learning: LearnStatistics;
  readonly windowRows: number;
  /** Tensors alive after the generation: a leak shows here. */
  readonly tensors: number;
  readonly residentBytes: number;
}

/** A line of `evaluations.jsonl`: a generation's match with an opponent, its `key`. */
export interface EvaluationRecord extends RunRecord, MatchResult {
  readonly key: string;
  readonly games: number;
}

/** What a run needs beside its folder. */
export interface LoopServices {
  readonly tf: Tensorflow;
  readonly pool: WorkerPool;
  readonly observer: LoopObserver;
  /** Ends the run after the unit of work under way. */
  readonly signal: AbortSignal;
  readonly softwareVersion: string;
}

/** The name under which generation 0 is an opponent in evaluations. */
export const FIRST_GENERATION = 'generation-0';

/**
 * A whole run: generation 0 is the untrained network; each later one learns from games of the one before it
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
  await ensureFirstCheckpoint(run, game, services);
  await evaluateGeneration(run, 0, services);
  const isStopped = (): boolean => services.signal.aborted;
  for (let generation = 1; generation <= run.config.generations; generation++) {
    if (isStopped()) return false;
    if (!(await exists(run.paths.checkpoint(generation)))) {
      const played = await playGeneration(run, generation, services);
      if (played === null) return false;
      await learnGeneration(run, { game, generation, played }, services);
    }
    if (isStopped()) return false;
    await evaluateGeneration(run, generation, services);
  }
  return !isStopped();
}

/** Removes what a killed process left half-written. */
async function sweep({ paths }: Run): Promise<void> {
  const folders = [paths.folder, join(paths.folder, 'checkpoints'), join(paths.folder, 'data')];
  for (const folder of folders) {
    await mkdir(folder, { recursive: true });
    await removeStaleTemporaries(folder);
  }
}

async function ensureFirstCheckpoint(run: Run, game: Game<unknown>, services: LoopServices): Promise<void> {
  const folder = run.paths.checkpoint(0);
  if (await exists(folder)) return;
  const shape = networkShape(game, run.config.network);
  const { network, optimizer } = startLearner(createNetwork(shape, createRng(run.config.seed, 'init')));
  await writeCheckpoint(services.tf, folder, {
    generation: 0,
    game,
    network,
    optimizer,
    learnerRandom: createRng(run.config.seed, 'shuffle').state(),
    configDigest: run.configDigest,
    softwareVersion: services.softwareVersion,
  });
}

/** The games of a generation, as they were played. */
interface PlayedGeneration {
  readonly games: GameStatistics;
  readonly effort: JobEffort;
}

/** Which games generation `generation` learns from: how many, by whom, the number of the first. */
function planOfGeneration({ config, paths }: Run, generation: number): Omit<ShardPlan, 'softwareVersion'> {
  const { warmStart, selfPlay } = config;
  const isWarm = warmStart.games > 0;
  const selfPlayGenerations = generation - (isWarm ? 2 : 1);
  const source: GameSource =
    isWarm && generation === 1
      ? { kind: 'agent', config: warmStart }
      : {
          kind: 'network',
          modelPath: checkpointModelPath(paths.checkpoint(generation - 1)),
          config: selfPlay,
        };
  return {
    game: config.game,
    source,
    seed: config.seed,
    generation: generation - 1,
    firstGame: source.kind === 'agent' ? 0 : warmStart.games + selfPlayGenerations * selfPlay.games,
    games: source.kind === 'agent' ? warmStart.games : selfPlay.games,
    gamesPerShard: selfPlay.gamesPerShard,
    folder: paths.data(generation),
  };
}

/** Plays the games of a generation, those that are not there yet; null when `signal` came first. */
async function playGeneration(
  run: Run,
  generation: number,
  { pool, observer, signal, softwareVersion }: LoopServices,
): Promise<PlayedGeneration | null> {
  const plan = planOfGeneration(run, generation);
  const who = plan.source.kind === 'agent' ? plan.source.config.agent : `generation ${generation - 1}`;
  observer.onStage('games', generation, `${plan.games} games by ${who}`);
  await mkdir(plan.folder, { recursive: true });
  await removeStaleTemporaries(plan.folder);
  const jobs = await planShards({ ...plan, softwareVersion });
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
  };
}

/** The shards of the newest generations up to `generation`, oldest first. */
async function windowShards({ config, paths }: Run, generation: number): Promise<readonly string[]> {
  const first = Math.max(1, generation - config.replay.windowGenerations + 1);
  const shards: string[] = [];
  for (let past = first; past <= generation; past++) {
    const names = (await readdir(paths.data(past))).filter((name) => name.endsWith('.arrow'));
    shards.push(...names.sort().map((name) => join(paths.data(past), name)));
  }
  return shards;
}

/** The stream of the learner, where the checkpoint left it. */
function learnerRng({ learnerRandom }: Checkpoint, seed: number): Rng {
  return learnerRandom === null ? createRng(seed, 'shuffle') : restoreRng(learnerRandom);
}

/** Makes the generation's checkpoint: the network before it, and what it learnt from the window. */
async function learnGeneration(
  run: Run,
  { game, generation, played }: { game: Game<unknown>; generation: number; played: PlayedGeneration },
  { tf, observer, softwareVersion }: LoopServices,
): Promise<void> {
  const { config, paths } = run;
  const before = await readCheckpoint(paths.checkpoint(generation - 1));
  const window = await ReplayWindow.open(await windowShards(run, generation), {
    game,
    validationShare: config.replay.validationShare,
  });
  const isWarm = config.warmStart.games > 0 && generation === 1;
  const passes = isWarm ? config.learner.warmStartPasses : config.learner.passes;
  const wanted = Math.ceil((played.games.positions * passes) / config.learner.batchSize);
  const steps = Math.min(wanted, config.learner.maxSteps);
  observer.onStage('learning', generation, `${steps} steps on ${window.trainingRows.length} positions`);
  const rng = learnerRng(before, config.seed);
  const { network, optimizer, statistics } = await learn({
    tf,
    game,
    config: config.learner,
    window,
    from:
      before.optimizer === null ? startLearner(before.network) : { ...before, optimizer: before.optimizer },
    rng,
    steps,
    failureFolder: paths.folder,
    onStep: (step) => {
      observer.onProgress(step, steps);
    },
  });
  const record: MetricsRecord = {
    generation,
    ...played,
    learning: statistics,
    windowRows: window.rows,
    tensors: tf.memory().numTensors,
    residentBytes: process.memoryUsage.rss(),
  };
  await writeRecord(paths.metrics, record);
  await writeCheckpoint(tf, paths.checkpoint(generation), {
    ...before,
    generation,
    network,
    optimizer,
    learnerRandom: rng.state(),
    configDigest: run.configDigest,
    softwareVersion,
  });
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

/** The text of the agent that plays a checkpoint's network. */
export function networkAgent(checkpoint: string, simulations: number): string {
  return `mcts:model=${checkpointModelPath(checkpoint)},simulations=${simulations}`;
}

/** Plays the generation's matches that are not recorded yet. */
async function evaluateGeneration(
  run: Run,
  generation: number,
  { pool, observer, signal }: LoopServices,
): Promise<void> {
  const { config, paths } = run;
  const { games, simulations, openingPlies } = config.evaluation;
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
    const record: EvaluationRecord = { generation, key, games, ...result };
    await writeRecord(paths.evaluations, record);
    observer.onEvaluation(record);
  }
}
