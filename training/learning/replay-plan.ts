import * as z from 'zod';
import type { ReplayConfig } from '../config/groups/replay-config.js';

/** A generation whose games have been played. */
export interface PlayedRows {
  readonly generation: number;
  /** Rows of its games. */
  readonly rows: number;
}

/** A learnt generation, from its line of `metrics.jsonl`. */
export interface PastGeneration extends PlayedRows {
  readonly replay: ReplayRecord;
}

/** The rows from which a generation learnt, as stored in `metrics.jsonl`. */
export const ReplayRecord = z.strictObject({
  /** Generations whose games were in the window, ascending; excludes a warm start with its own share of the samples. */
  generations: z.array(z.int().min(1)).readonly(),
  /** Rows in the window that could be sampled. */
  trainingRows: z.int().min(0),
  /** Share of the samples taken from the warm start, separately from the window. */
  warmStartShare: z.number().min(0).max(1),
  /** Mean number of times that each row of the window was sampled; excludes a warm start with its own share. */
  passes: z.number().min(0),
});
export type ReplayRecord = z.infer<typeof ReplayRecord>;

/** The learnt generations that lines of `metrics.jsonl` describe. */
export function pastGenerations(
  records: readonly {
    readonly generation: number;
    readonly games: { readonly learntPositions: number };
    readonly replay: ReplayRecord;
  }[],
): readonly PastGeneration[] {
  return records.map(({ generation, games, replay }) => ({
    generation,
    rows: games.learntPositions,
    replay,
  }));
}

/** The rows from which a generation will learn. */
export interface ReplayPlan {
  /** Generations whose games are in the window, ascending. */
  readonly generations: readonly number[];
  /**
   * Share of samples taken from the warm start, separately from the window; 0: it is in the window, or no longer used.
   */
  readonly warmStartShare: number;
}

/** Smaller shares of the warm start count as 0. */
const LEAST_WARM_START_SHARE = 0.005;

/**
 * Size of the window in rows after `total` rows: all up to `rows`, then growing as a power of them,
 * `c (1 + beta ((N / c)^alpha - 1) / alpha)`, whose slope at `c` is `beta`.
 *
 * @see Wu 2019, "Accelerating Self-Play Learning in Go", appendix C.
 */
export function powerLawRows(
  total: number,
  { rows, exponent, slope }: { readonly rows: number; readonly exponent: number; readonly slope: number },
): number {
  if (total <= rows) return total;
  return rows * (1 + (slope * ((total / rows) ** exponent - 1)) / exponent);
}

/** Mean number of times that the rows of `generation` have been sampled. */
function passesOf(generation: number, past: readonly PastGeneration[]): number {
  return past.reduce((sum, { replay }) => {
    return replay.generations.includes(generation) ? sum + replay.passes : sum;
  }, 0);
}

/** The fewest of the newest `candidates`, ascending, that together hold at least `rows` rows. */
function newest(candidates: readonly PlayedRows[], rows: number): readonly PlayedRows[] {
  let first = candidates.length;
  for (let held = 0; first > 0 && held < rows; first--) held += candidates[first - 1]!.rows;
  return candidates.slice(first);
}

/**
 * Plans the rows from which generation `now.generation` learns. A generation whose rows have been sampled `maxPasses`
 * times leaves the window, except the newest.
 *
 * @param past the earlier generations, ascending.
 * @param hasWarmStart whether generation 1 learnt from a warm start.
 */
export function planReplay(
  config: ReplayConfig,
  past: readonly PastGeneration[],
  now: PlayedRows,
  hasWarmStart: boolean,
): ReplayPlan {
  const isApart = hasWarmStart && config.warmStartShare > 0 && now.generation > 1;
  const share = isApart ? config.warmStartShare * config.warmStartDecay ** (now.generation - 2) : 0;
  const own = isApart ? past.filter(({ generation }) => generation > 1) : past;
  const all: readonly PlayedRows[] = [...own, now];
  const inWindow =
    config.window.kind === 'power'
      ? newest(
          all,
          powerLawRows(
            all.reduce((sum, { rows }) => sum + rows, 0),
            config.window,
          ),
        )
      : all.slice(-config.windowGenerations);
  const generations = inWindow
    .map(({ generation }) => generation)
    .filter((generation) => generation === now.generation || passesOf(generation, past) < config.maxPasses);
  return { generations, warmStartShare: share < LEAST_WARM_START_SHARE ? 0 : share };
}
