import type { Player } from '../../env/game.js';
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

/** The columns of a shard but for the large ones. */
export type SmallColumns = Omit<ShardColumns, 'positions' | 'finalPositions' | 'actions' | 'policies'>;

/** Who is to move in row `row`. */
export function playerOf({ players }: Pick<ShardColumns, 'players'>, row: number): Player {
  return players[row] === 0 ? 0 : 1;
}

/** What of a row is large; not to be written to. `L` is the number of legal actions, `P` the size of a position. */
export interface RowContent {
  /** `[P]` */
  readonly position: Uint8Array;
  /** `[P]` zeros where it is not known. */
  readonly finalPosition: Uint8Array;
  /** `[L]` */
  readonly actions: Uint16Array;
  /** `[L]` */
  readonly policy: Float32Array;
}

/** What of row `row` is large, as views. */
export function contentOf(columns: ShardColumns, row: number): RowContent {
  const { positionSize, actionStart } = columns;
  const [from, to] = [row * positionSize, (row + 1) * positionSize];
  const [first, end] = [actionStart[row]!, actionStart[row + 1]!];
  return {
    position: columns.positions.subarray(from, to),
    finalPosition: columns.finalPositions.subarray(from, to),
    actions: columns.actions.subarray(first, end),
    policy: columns.policies.subarray(first, end),
  };
}

/** Row `row` as an object, copied. For tools and tests; loops read the columns. */
export function sampleOf(columns: ShardColumns, row: number): Sample {
  return sampleWith(columns, row, contentOf(columns, row));
}

/** Row `row` as an object, copied, from its columns and what of it is large. */
export function sampleWith(columns: SmallColumns, row: number, content: RowContent): Sample {
  const rootValue = columns.rootValues[row]!;
  const result = columns.results[row]!;
  const played = columns.played[row]!;
  const surprise = columns.surprises[row]!;
  return {
    position: content.position.slice(),
    player: playerOf(columns, row),
    ply: columns.plies[row]!,
    actions: content.actions.slice(),
    policy: content.policy.slice(),
    policyWeight: columns.policyWeights[row]!,
    rootValue: Number.isNaN(rootValue) ? null : rootValue,
    result: result === NO_RESULT ? null : (result as -1 | 0 | 1),
    pliesLeft: columns.pliesLeft[row]!,
    searchSize: columns.searchSizes[row]!,
    gameId: columns.gameIds[row]!,
    played: played === NO_ACTION ? null : played,
    finalPosition: played === NO_ACTION ? null : content.finalPosition.slice(),
    surprise: Number.isNaN(surprise) ? null : surprise,
  };
}
