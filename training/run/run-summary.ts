import { exists } from '../../data/files/atomic-file.js';
import { readManifest } from '../../data/files/manifest.js';
import { listShards, SHARD_KIND } from '../../data/shards/shard.js';
import { arrowManifestPath } from '../../data/arrow-names.js';
import { createGame } from '../../env/games.js';
import type { RunConfig } from '../config/run-config.js';
import { GameStatistics, sumStatistics } from '../self-play/self-play-statistics.js';
import { playingGeneration } from './gate-records.js';
import { type MemoryTrend, memoryTrend } from './measures/memory-trend.js';
import { RUN_VERSION } from './run-file.js';
import { expectRunFile } from './run-folder.js';
import { listCheckpoints, listData, runPaths } from './run-paths.js';
import { readRecords } from './run-record-file.js';
import type { EvaluationRecord, GateRecord, MetricsRecord, RemovablePart } from './run-records.js';

/** One generation of a run; plain JSON. */
export interface GenerationSummary {
  readonly generation: number;
  /** Number of shards from which it learns, and statistics of their games, from their manifests. */
  readonly shards: number;
  readonly games: GameStatistics;
  readonly hasCheckpoint: boolean;
  /** Parts that `retention` removed; without data, `games` comes from the line of `metrics.jsonl`. */
  readonly removed: readonly RemovablePart[];
  /** Its line of `metrics.jsonl`; null before it has learnt. */
  readonly metrics: MetricsRecord | null;
}

/** The content of a run's folder; plain JSON. */
export interface RunSummary {
  readonly runVersion: number;
  readonly configDigest: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly game: string;
  /** Canonical text. */
  readonly rules: string;
  readonly seed: number;
  /** Number of generations that the configuration asks for. */
  readonly generationsPlanned: number;
  /** The newest generation with a checkpoint; null before the first. */
  readonly newestCheckpoint: number | null;
  /** Generations that have or had data or a checkpoint, ascending. */
  readonly generations: readonly GenerationSummary[];
  /** Gate matches of new networks, for their place in self-play; none without `gate.games`. */
  readonly gates: readonly GateRecord[];
  /** The generation that plays self-play next; null before generation 0. */
  readonly playing: number | null;
  readonly evaluations: readonly EvaluationRecord[];
  /** Trend of memory; null for a run of few generations. */
  readonly memory: MemoryTrend | null;
  readonly config: RunConfig;
}

/** Number of shards in a folder, and statistics of their games, from their manifests. */
async function gamesOf(folder: string): Promise<{ readonly shards: number; readonly games: GameStatistics }> {
  const shards = (await exists(folder)) ? await listShards(folder) : [];
  const parts: GameStatistics[] = [];
  for (const shard of shards) {
    const { details } = await readManifest(arrowManifestPath(shard), SHARD_KIND);
    const statistics = GameStatistics.safeParse(details['statistics']).data;
    if (statistics !== undefined) parts.push(statistics);
  }
  return { shards: shards.length, games: sumStatistics(parts) };
}

/**
 * Summarises a run from its `run.json`, records and manifests. Shards and checkpoints are not read.
 *
 * @throws TrainingError `run-missing`, `run-damaged`, `run-too-new`, `config-invalid`; DataError for manifests and
 *   records that cannot be read.
 */
export async function summarizeRun(folder: string): Promise<RunSummary> {
  const file = await expectRunFile(folder);
  const paths = runPaths(folder);
  const metrics = await readRecords(paths, 'metrics');
  const removals = await readRecords(paths, 'removals');
  const generations: GenerationSummary[] = [];
  const parts = [
    await listCheckpoints(paths),
    await listData(paths),
    removals.map((line) => line.generation),
  ];
  for (const generation of [...new Set(parts.flat())].sort((a, b) => a - b)) {
    if (generation > file.config.generations) break;
    const hasCheckpoint = await exists(paths.checkpoint(generation));
    const data = await gamesOf(paths.data(generation));
    const removed = removals.filter((line) => line.generation === generation).map(({ key }) => key);
    if (!hasCheckpoint && data.shards === 0 && removed.length === 0) continue;
    const record = metrics.find((line) => line.generation === generation) ?? null;
    const games = removed.includes('data') && record !== null ? record.games : data.games;
    generations.push({ generation, ...data, games, hasCheckpoint, removed, metrics: record });
  }
  const { configDigest, versions, config } = file;
  const { id: game, rules } = createGame(config.game.id, config.game.rules);
  const newest = generations.findLast(({ hasCheckpoint }) => hasCheckpoint)?.generation ?? null;
  const gates = await readRecords(paths, 'gates');
  return {
    runVersion: RUN_VERSION,
    configDigest,
    versions,
    game,
    rules,
    seed: config.seed,
    generationsPlanned: config.generations,
    newestCheckpoint: newest,
    generations,
    memory: memoryTrend(metrics),
    gates,
    playing: newest === null || config.gate.games === 0 ? newest : playingGeneration(gates, newest),
    evaluations: await readRecords(paths, 'evaluations'),
    config,
  };
}
