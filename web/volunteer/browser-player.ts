import { digestOfNetwork } from '../../training/self-play/network-digest.js';
import { TrainingError } from '../../training/training-error.js';
import { getContent, refOf } from '../../training/workers/pool/wire/content-stream.js';
import type { PoolConnection } from '../../training/workers/pool/wire/pool-connection.js';
import type { ContentRef, RemoteJob } from '../../training/workers/pool/wire/pool-messages.js';
import { FILES_STREAM, fileSubject } from '../../training/workers/pool/wire/pool-subjects.js';
import { expectSource, expectVersion } from '../../training/workers/pool/worker/job-checks.js';
import type { JobPlayer } from '../../training/workers/pool/worker/job-player.js';
import type { PlayedJob } from '../../training/workers/pool/worker/remote-play.js';
import type { PlayLane } from './play-lane.js';
import type { GameIdentity } from '../../training/games/game-config.js';

/** Greatest network that is fetched. */
const MAX_MODEL_BYTES = 128 * 2 ** 20;
/** Networks that are kept: the last one, and the one before for jobs in progress. */
const MOST_MODELS = 2;

/** Plays the jobs of a worker in a browser: games of networks, on ONNX Runtime's WebAssembly. */
export class BrowserPlayer implements JobPlayer {
  private readonly connection: PoolConnection;
  private readonly softwareVersion: string;
  private readonly lanes: readonly PlayLane[];
  private readonly free: PlayLane[];
  private readonly models = new Map<string, Promise<Uint8Array>>();

  /** @param lanes at least as many as there are jobs at a time; the player closes them. */
  constructor(connection: PoolConnection, softwareVersion: string, lanes: readonly PlayLane[]) {
    this.connection = connection;
    this.softwareVersion = softwareVersion;
    this.lanes = lanes;
    this.free = [...lanes];
  }

  async play(_id: string, job: RemoteJob, onGames: (games: number) => void): Promise<PlayedJob> {
    if (job.kind !== 'shard' || job.source.kind !== 'network') {
      throw new TrainingError('pool-content', 'expected games of a network: a browser plays no others');
    }
    expectVersion(job.softwareVersion, this.softwareVersion);
    const model = await this.model(job.source.model);
    expectSource(await digestOfNetwork(job.source.config, model), job.sourceDigest);
    const lane = this.free.pop()!;
    try {
      let games = 0;
      const result = await lane.run({ kind: 'play', job, model }, () => {
        games += 1;
        onGames(games);
      });
      if (result.kind !== 'play') throw new Error('expected a shard');
      const { content, games: statistics, effort } = result;
      const outcome = {
        kind: 'shard' as const,
        content: await refOf(content),
        games: [...statistics],
        effort,
      };
      return { outcome, content };
    } finally {
      this.free.push(lane);
    }
  }

  async fingerprint(game: GameIdentity, model: ContentRef | null): Promise<string> {
    const bytes = model === null ? null : await this.model(model);
    const result = await this.lanes[0]!.run({ kind: 'fingerprint', game, model: bytes });
    if (result.kind !== 'fingerprint') throw new Error('expected a fingerprint');
    return result.fingerprint;
  }

  dispose(): Promise<void> {
    for (const lane of this.lanes) lane.close();
    return Promise.resolve();
  }

  /** The file of a network. @throws TrainingError `pool-content`; errors of the server. */
  private model(ref: ContentRef): Promise<Uint8Array> {
    const found = this.models.get(ref.sha256);
    if (found !== undefined) return found;
    if (ref.bytes > MAX_MODEL_BYTES) {
      throw new TrainingError(
        'pool-content',
        `expected at most ${MAX_MODEL_BYTES} bytes, found ${ref.bytes}`,
      );
    }
    const { jsm } = this.connection;
    const loading = getContent(jsm, FILES_STREAM, ref, (part) => fileSubject(ref.sha256, part));
    this.models.set(ref.sha256, loading);
    loading.catch(() => this.models.delete(ref.sha256));
    if (this.models.size > MOST_MODELS) this.models.delete(this.models.keys().next().value!);
    return loading;
  }
}
