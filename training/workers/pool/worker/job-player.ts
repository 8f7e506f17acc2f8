import { rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../../data/files/atomic-file.js';
import { ProcessPool } from '../../process-pool.js';
import type { PoolConnection } from '../wire/pool-connection.js';
import type { ContentRef, RemoteJob } from '../wire/pool-messages.js';
import { ContentCache } from './content-cache.js';
import { type PlayedJob, playRemoteJob, type RemotePlayer } from './remote-play.js';
import type { GameIdentity } from '../../../games/game-config.js';

/** Plays the jobs of a worker. */
export interface JobPlayer {
  /**
   * Plays a job.
   *
   * @param onGames called with the number of finished games.
   * @throws as `playRemoteJob` does.
   */
  play(id: string, job: RemoteJob, onGames: (games: number) => void): Promise<PlayedJob>;
  /**
   * The kernel fingerprint with a model; null: without one. Throws as `kernelFingerprint` and `ContentCache.model` do.
   */
  fingerprint(game: GameIdentity, model: ContentRef | null): Promise<string>;
  dispose(): Promise<void>;
}

/** Plays jobs in processes of this machine. */
export class ProcessPlayer implements JobPlayer {
  private readonly player: RemotePlayer;

  private constructor(player: RemotePlayer) {
    this.player = player;
  }

  /**
   * @param folder for networks and games in progress.
   * @throws DataError for the folder.
   */
  static async open(
    { jsm, publicKey }: PoolConnection,
    folder: string,
    options: { readonly processes: number; readonly onMessage: (text: string) => void },
  ): Promise<ProcessPlayer> {
    const { processes, onMessage } = options;
    const games = join(folder, `games-${publicKey}`);
    await makeFolder(games);
    return new ProcessPlayer({
      local: new ProcessPool(processes, { onMessage }),
      cache: new ContentCache(join(folder, 'files'), jsm),
      folder: games,
    });
  }

  play(id: string, job: RemoteJob, onGames: (games: number) => void): Promise<PlayedJob> {
    return playRemoteJob({ id, job }, this.player, onGames);
  }

  async fingerprint(game: GameIdentity, model: ContentRef | null): Promise<string> {
    const modelPath = model === null ? null : await this.player.cache.model(model);
    return this.player.local.run('fingerprint', { game, modelPath, kernels: 'native' });
  }

  async dispose(): Promise<void> {
    await this.player.local.dispose();
    // A connection without a ticket has a new key each time. The folder stays if it has games in progress.
    await rmdir(this.player.folder).catch(() => undefined);
  }
}
