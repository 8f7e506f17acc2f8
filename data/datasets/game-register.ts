import { DataError } from '../data-error.js';
import { NumberSet } from './number-set.js';
import type { DecodedShard } from '../shards/shard-encoding.js';

/** A set of games, one bit each, to find games that occur twice. */
export class GameRegister {
  private readonly games = new Map<string, NumberSet>();

  /**
   * Adds the games of the shard at `path`.
   *
   * @throws DataError `dataset-duplicate` for a game that is in the set already.
   */
  add(path: string, { metadata, columns }: DecodedShard): void {
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
