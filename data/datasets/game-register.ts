import { DataError } from '../data-error.js';
import { NumberSet } from './number-set.js';
import type { DecodedShard } from '../shards/shard-encoding.js';
import { checkSameGame } from './shard-summary.js';

/** The games of shards of one game and its rules, one bit each, to find games that occur twice. */
export class GameRegister {
  private readonly games = new Map<string, NumberSet>();
  private first: { readonly path: string; readonly metadata: DecodedShard['metadata'] } | undefined;

  /**
   * Adds the games of the shard at `path`.
   *
   * @throws DataError `dataset-mixed` unless it is of the game and rules of the first shard; `dataset-duplicate` for a
   *   game that is in the set already.
   */
  add(path: string, { metadata, columns }: DecodedShard): void {
    this.first ??= { path, metadata };
    checkSameGame({ path: this.first.path, ...this.first.metadata }, { path, ...metadata });
    const { configDigest, seed, generation } = metadata;
    const key = `${configDigest} ${seed} ${generation}`;
    const known = this.games.get(key) ?? new NumberSet();
    this.games.set(key, known);
    for (const gameId of new Set(columns.gameIds)) {
      if (known.add(gameId)) continue;
      const game = `game ${gameId} of seed ${seed}, generation ${generation}`;
      throw new DataError(
        'dataset-duplicate',
        `expected each game once: ${game} is in ${path} and in an earlier shard`,
      );
    }
  }
}
