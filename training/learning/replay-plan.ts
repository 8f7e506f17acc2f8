import type { ReplayConfig } from '../config/replay-config.js';

/** What learning of an earlier generation left behind, as `metrics.jsonl` has it. */
export interface PastGeneration {
  readonly generation: number;
  /** Rows that its games gave. */
  readonly rows: number;
  /** What its learning drew from; undefined in records of earlier versions. */
  readonly replay?: ReplayRecord | undefined;
}

/** Which rows a generation's learning drew, as kept in `metrics.jsonl`. */
export interface ReplayRecord {
  /** Generations whose games were in the window, ascending; the warm start not among them where it was drawn apart. */
  readonly generations: readonly number[];
  /** Rows that could be drawn. */
  readonly trainingRows: number;
  /** Share of the rows that were drawn from the warm start apart from the others. */
  readonly warmStartShare: number;
  /** Times that each row of the window was drawn, on average; those of the warm start drawn apart not counted. */
  readonly passes: number;
}

/** What `metrics.jsonl` says of earlier generations. */
export function pastGenerations(
  records: readonly {
    readonly generation: number;
    readonly games: { readonly positions: number };
    readonly replay?: ReplayRecord | undefined;
  }[],
): readonly PastGeneration[] {
  return records.map(({ generation, games, replay }) => ({ generation, rows: games.positions, replay }));
}

/** Which rows a generation is to learn from. */
export interface ReplayPlan {
  /** Generations whose games are in the window, ascending. */
  readonly generations: readonly number[];
  /** Share of the rows drawn from the warm start, apart from the others; 0: it is like any other, or gone. */
  readonly warmStartShare: number;
}

/** Below this share the warm start is left out. */
const LEAST_WARM_START_SHARE = 0.005;

/**
 * Rows that the window is to hold after `total` rows: all up to `rows`, then growing as a power of them,
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

/** Times that the rows of `generation` were drawn so far, on average. */
function passesOf(generation: number, past: readonly PastGeneration[]): number {
  return past.reduce((sum, { replay }) => {
    return replay?.generations.includes(generation) === true ? sum + replay.passes : sum;
  }, 0);
}

/** The newest of `candidates`, ascending, that together hold `rows` rows or a little more. */
function newest(candidates: readonly PastGeneration[], rows: number): readonly PastGeneration[] {
  let first = candidates.length;
  for (let held = 0; first > 0 && held < rows; first--) held += candidates[first - 1]!.rows;
  return candidates.slice(first);
}

/**
 * Which rows generation `now.generation` learns from. A generation whose rows were all drawn `maxPasses` times leaves the
 * window; the newest stays.
 *
 * @param past the generations before, ascending.
 * @param hasWarmStart whether generation 1 learnt from a warm start.
 */
export function planReplay(
  config: ReplayConfig,
  past: readonly PastGeneration[],
  now: PastGeneration,
  hasWarmStart: boolean,
): ReplayPlan {
  const isApart = hasWarmStart && config.warmStartShare > 0 && now.generation > 1;
  const share = isApart ? config.warmStartShare * config.warmStartDecay ** (now.generation - 2) : 0;
  const own = isApart ? past.filter(({ generation }) => generation > 1) : past;
  const all = [...own, now];
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
