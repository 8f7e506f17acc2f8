import { stat } from 'node:fs/promises';
import { sampleOf } from '../../data/shards/shard-columns.js';
import { listShards, readShard } from '../../data/shards/shard.js';
import { arrowManifestPath } from '../../data/arrow-names.js';
import type { Sample } from '../../data/shards/sample.js';
import { CodedError } from '../../env/errors.js';
import type { Game } from '../../env/game.js';
import { formatEndOfRow } from '../text/game-end-text.js';
import { listData, type RunPaths } from '../../training/run/run-paths.js';
import { systemErrorCode } from '../../data/data-error.js';

/** The end of a game of a run. */
export interface LastGame {
  /** The position that the game ended in, without history. */
  readonly state: unknown;
  readonly plies: number;
  /** `black won in 84 plies`. */
  readonly text: string;
}

/** The newest shard of the run; null without one. */
async function newestShard(paths: RunPaths): Promise<string | null> {
  for (const generation of (await listData(paths)).toReversed()) {
    const shards = await listShards(paths.data(generation));
    const times = await Promise.all(shards.map((path) => stat(arrowManifestPath(path))));
    const newest =
      shards[times.reduce((best, { mtimeMs }, at) => (mtimeMs > times[best]!.mtimeMs ? at : best), 0)];
    if (newest !== undefined) return newest;
  }
  return null;
}

/** The position that the game of a row ended in if the row knows it, else that after its move. */
function endOf(game: Game<unknown>, { position, finalPosition, played }: Sample): unknown {
  const state = game.initialState();
  game.unpack(finalPosition ?? position, 0, state);
  if (finalPosition === null && played !== null) game.apply(state, played);
  return state;
}

function lastGameIn(game: Game<unknown>, row: Sample): LastGame {
  return { state: endOf(game, row), plies: row.ply + row.pliesLeft, text: formatEndOfRow(game, row) };
}

/** Finds the last game of self-play, and reads a shard only when it is new. */
export class LastGameReader {
  private readonly paths: RunPaths;
  private readonly game: Game<unknown>;
  private shard: string | null = null;
  private last: LastGame | null = null;

  constructor(paths: RunPaths, game: Game<unknown>) {
    this.paths = paths;
    this.game = game;
  }

  /** Null without games. If a shard disappears or is damaged, the previous game stays. */
  async read(): Promise<LastGame | null> {
    try {
      const path = await newestShard(this.paths);
      if (path === null || path === this.shard) return this.last;
      this.shard = path;
      const { columns } = await readShard(path, this.game);
      if (columns.rows > 0) this.last = lastGameIn(this.game, sampleOf(columns, columns.rows - 1));
    } catch (error) {
      if (!(error instanceof CodedError) && systemErrorCode(error) !== 'ENOENT') throw error;
    }
    return this.last;
  }
}
