import type { Sample } from './sample.js';

/**
 * The rows of a shard as columns. `N` rows, `A` legal actions of all rows together, `P` bytes a position.
 * Values are to the player to move, as in `Sample`.
 */
export interface ShardColumns {
  readonly rows: number;
  /** `P` */
  readonly positionSize: number;
  /** `[N, P]` packed positions. */
  readonly positions: Uint8Array;
  /** `[N]` */
  readonly players: Uint8Array;
  /** `[N]` */
  readonly plies: Uint16Array;
  /** `[N + 1]` the actions of row `i` lie from `actionStart[i]` to `actionStart[i + 1]`. */
  readonly actionStart: Int32Array;
  /** `[A]` legal actions, ascending in a row. */
  readonly actions: Uint16Array;
  /** `[A]` probabilities, in the same order. */
  readonly policies: Float32Array;
  /** `[N]` */
  readonly policyWeights: Float32Array;
  /** `[N]` NaN where nothing searched. */
  readonly rootValues: Float32Array;
  /** `[N]` 1, 0 or -1; `NO_RESULT` where the game was truncated. */
  readonly results: Int8Array;
  /** `[N]` */
  readonly pliesLeft: Uint16Array;
  /** `[N]` */
  readonly searchSizes: Uint32Array;
  /** `[N]` */
  readonly gameIds: Uint32Array;
  /** `[N]` `NO_ACTION` where it is not known. */
  readonly played: Uint16Array;
  /** `[N, P]` packed positions that the games ended in; zeros where `played` is `NO_ACTION`. */
  readonly finalPositions: Uint8Array;
  /** `[N]` NaN where nothing was searched in full. */
  readonly surprises: Float32Array;
}

/** Stands in `ShardColumns.results` for the result of a truncated game. */
export const NO_RESULT = -128;

/** Stands in `ShardColumns.played` for an action that is not known. */
export const NO_ACTION = 0xffff;

/** Columns of `samples`, copied. All positions must have the same length. */
export function columnsOf(samples: readonly Sample[], positionSize: number): ShardColumns {
  const rows = samples.length;
  const actionStart = new Int32Array(rows + 1);
  for (let row = 0; row < rows; row++)
    actionStart[row + 1] = actionStart[row]! + samples[row]!.actions.length;
  const columns = {
    rows,
    positionSize,
    positions: new Uint8Array(rows * positionSize),
    players: Uint8Array.from(samples, (sample) => sample.player),
    plies: Uint16Array.from(samples, (sample) => sample.ply),
    actionStart,
    actions: new Uint16Array(actionStart[rows]!),
    policies: new Float32Array(actionStart[rows]!),
    policyWeights: Float32Array.from(samples, (sample) => sample.policyWeight),
    rootValues: Float32Array.from(samples, (sample) => sample.rootValue ?? NaN),
    results: Int8Array.from(samples, (sample) => sample.result ?? NO_RESULT),
    pliesLeft: Uint16Array.from(samples, (sample) => sample.pliesLeft),
    searchSizes: Uint32Array.from(samples, (sample) => sample.searchSize),
    gameIds: Uint32Array.from(samples, (sample) => sample.gameId),
    played: Uint16Array.from(samples, (sample) => sample.played ?? NO_ACTION),
    finalPositions: new Uint8Array(rows * positionSize),
    surprises: Float32Array.from(samples, (sample) => sample.surprise ?? NaN),
  };
  samples.forEach((sample, row) => {
    columns.positions.set(sample.position, row * positionSize);
    if (sample.finalPosition !== null) columns.finalPositions.set(sample.finalPosition, row * positionSize);
    columns.actions.set(sample.actions, actionStart[row]);
    columns.policies.set(sample.policy, actionStart[row]);
  });
  return columns;
}

/** Row `row` as an object, copied. For tools and tests; loops read the columns. */
export function sampleOf(columns: ShardColumns, row: number): Sample {
  const start = columns.actionStart[row]!;
  const end = columns.actionStart[row + 1]!;
  const rootValue = columns.rootValues[row]!;
  const result = columns.results[row]!;
  const played = columns.played[row]!;
  const surprise = columns.surprises[row]!;
  const packed = (positions: Uint8Array): Uint8Array =>
    positions.slice(row * columns.positionSize, (row + 1) * columns.positionSize);
  return {
    position: packed(columns.positions),
    player: columns.players[row] === 0 ? 0 : 1,
    ply: columns.plies[row]!,
    actions: columns.actions.slice(start, end),
    policy: columns.policies.slice(start, end),
    policyWeight: columns.policyWeights[row]!,
    rootValue: Number.isNaN(rootValue) ? null : rootValue,
    result: result === NO_RESULT ? null : (result as -1 | 0 | 1),
    pliesLeft: columns.pliesLeft[row]!,
    searchSize: columns.searchSizes[row]!,
    gameId: columns.gameIds[row]!,
    played: played === NO_ACTION ? null : played,
    finalPosition: played === NO_ACTION ? null : packed(columns.finalPositions),
    surprise: Number.isNaN(surprise) ? null : surprise,
  };
}
