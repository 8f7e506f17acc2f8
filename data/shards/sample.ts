import type { ShardColumn, ValueOfColumn } from './column-table.js';

/**
 * One position of one game: a row of a shard. The fields are the columns of `SHARD_COLUMNS`, by name: packed positions as
 * `Uint8Array`, actions as `Uint16Array`, the policy as `Float32Array`, all others as numbers; nullable ones may be null.
 * Values are to the player to move.
 */
export type Sample = { readonly [C in ShardColumn as C['name']]: ValueOfColumn<C> };
