import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readFile, rm } from 'node:fs/promises';
import { columnsOf, sampleOf } from '../../../../data/shards/shard-columns.js';
import { decodeShard } from '../../../../data/shards/shard-decoding.js';
import { encodeShard } from '../../../../data/shards/shard-encoding.js';
import { createGame } from '../../../../env/games.js';
import { takeFingerprint } from '../../../../training/self-play/fingerprint-job.js';
import type { GameStatistics } from '../../../../training/self-play/self-play-statistics.js';
import type { ShardJob } from '../../../../training/self-play/shard-job.js';
import { metadataOf } from '../../../../training/self-play/shard-content.js';
import { playShard } from '../../../../training/self-play/shard-play.js';
import { putContent, refOf } from '../../../../training/workers/pool/wire/content-stream.js';
import type { PoolConnection } from '../../../../training/workers/pool/wire/pool-connection.js';
import { connectToPool } from '../../../../training/workers/pool/wire/server-connection.js';
import type { KnownFingerprint, TakeAnswer } from '../../../../training/workers/pool/wire/pool-messages.js';
import {
  resultSubject,
  shardSubject,
  workerSubject,
} from '../../../../training/workers/pool/wire/pool-subjects.js';
import { readTicket } from '../../../../training/workers/pool/wire/pool-ticket.js';
import { sign } from '../../../../training/workers/pool/wire/signed-message.js';
import { ownIdentity } from '../../../../training/workers/pool/wire/worker-identity.js';
import { ContentCache } from '../../../../training/workers/pool/worker/content-cache.js';
import { incomingShard } from '../../../../training/workers/pool/worker/incoming-job.js';
import { arrowManifestPath } from '../../../../data/arrow-names.js';

/** The parts of a liar's message. */
interface Sent {
  readonly content: Uint8Array;
  readonly games: readonly GameStatistics[];
  /** Evaluations that it claims; 0 if undefined. */
  readonly networkEvaluations?: number;
}

/** Ways to lie about the shard of a job. */
const TRICKS = {
  // For an honest worker that claims another processor.
  'no lie': (job) => play(job, job),
  'games of another seed': (job) => play(job, { ...job, seed: job.seed + 1 }),
  'no shard': async (job) => ({ ...(await play(job, job)), content: new Uint8Array(1000) }),
  'too many bytes': async (job) => ({ ...(await play(job, job)), content: new Uint8Array(2 ** 23) }),
  'a reversed result': async (job) => {
    const { content, games } = await play(job, job);
    const { metadata, columns } = decodeShard('shard', content);
    columns.results.forEach(
      (result, row) => (columns.results[row] = Math.abs(result) === 1 ? -result : result),
    );
    return { content: encodeShard(columns, metadata), games };
  },
  'a missing game': async (job) => {
    const { content, games } = await play(job, job);
    const { metadata, columns } = decodeShard('shard', content);
    const samples = Array.from({ length: columns.rows }, (_, row) => sampleOf(columns, row));
    const kept = samples.filter(({ gameId }) => gameId !== job.firstGame);
    const game = createGame(job.game.id, job.game.rules);
    return { content: encodeShard(columnsOf(kept, game.packedSize), metadata), games: games.slice(1) };
  },
  'false statistics': async (job) => {
    const { content, games } = await play(job, job);
    return { content, games: games.map((each) => ({ ...each, evaluations: 7 })) };
  },
  'impossible effort': async (job) => ({
    ...(await play(job, job)),
    networkEvaluations: Number.MAX_SAFE_INTEGER,
  }),
  'a false policy': async (job) => {
    const { content, games } = await play(job, job);
    const { metadata, columns } = decodeShard('shard', content);
    const [start, end] = [columns.actionStart[0]!, columns.actionStart[1]!];
    columns.policies.fill(1 / (end - start), start, end);
    return { content: encodeShard(columns, metadata), games };
  },
} as const satisfies Readonly<Record<string, (job: ShardJob) => Promise<Sent>>>;

/** The shard of a job with the games of another. */
async function play(job: ShardJob, played: ShardJob): Promise<Sent> {
  await rm(arrowManifestPath(job.path), { force: true });
  const { games } = await playShard(played);
  const { columns } = decodeShard(job.path, await readFile(job.path));
  const game = createGame(job.game.id, job.game.rules);
  return { content: encodeShard(columns, metadataOf(game, job)), games };
}

/** A worker that follows the protocol and lies about its games. */
export class Liar {
  static readonly tricks = (Object.keys(TRICKS) as (keyof typeof TRICKS)[]).filter(
    (trick) => trick !== 'no lie',
  );
  readonly key: string;
  private readonly connection: PoolConnection;
  private readonly trick: keyof typeof TRICKS;
  readonly folder: string;
  readonly cache: ContentCache;
  private fingerprints: KnownFingerprint[] = [];
  private fingerprint: string | null = null;

  private constructor(connection: PoolConnection, trick: keyof typeof TRICKS, folder: string) {
    this.connection = connection;
    this.key = connection.publicKey;
    this.trick = trick;
    this.folder = folder;
    this.cache = new ContentCache(join(folder, 'files'), connection.jsm);
  }

  /**
   * @param folder for its files.
   * @param fingerprint the fingerprint that it claims; null: its own.
   */
  static async join(
    url: string,
    trick: keyof typeof TRICKS,
    { folder, fingerprint = null }: { readonly folder: string; readonly fingerprint?: string | null },
  ): Promise<Liar> {
    const liar = new Liar(await connectToPool(await readTicket(url)), trick, folder);
    liar.fingerprint = fingerprint;
    return liar;
  }

  /**
   * Takes a job of self-play, sends a false result, and asks again until it is refused or ended.
   *
   * @returns whether it has lied, whether it was suspended for it, and the code with which it was refused.
   */
  async lieOnce(
    end?: AbortSignal,
  ): Promise<{ readonly hasLied: boolean; readonly isFound: boolean; readonly refusal: string | null }> {
    let hasLied = false;
    try {
      while (end?.aborted !== true) {
        const answer = await this.ask();
        if (answer?.kind === 'refused')
          return { hasLied, isFound: answer.code === 'pool-suspended', refusal: answer.code };
        if (answer?.kind === 'prove') await this.prove(answer);
        else if (
          answer?.kind === 'job' &&
          answer.job.kind === 'shard' &&
          (!hasLied || this.trick === 'no lie')
        ) {
          await this.send(answer.id, await incomingShard(answer.id, answer.job, this));
          hasLied = true;
        } else await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return { hasLied, isFound: false, refusal: null };
    } finally {
      await this.connection.nc.close();
    }
  }

  /** Sends a result of a job that it was not given, and leaves. */
  async sendResult(id: string, job: ShardJob): Promise<void> {
    await this.send(id, job);
    await this.connection.nc.close();
  }

  private async prove({ game, model }: Extract<TakeAnswer, { kind: 'prove' }>): Promise<void> {
    const modelPath = model === null ? null : await this.cache.model(model);
    const fingerprint = this.fingerprint ?? (await takeFingerprint({ game, modelPath, kernels: 'native' }));
    this.fingerprints = [...this.fingerprints.slice(-7), { model: model?.sha256 ?? null, fingerprint }];
  }

  /** The coordinator's answer; null if there is none, since the coordinator may be stopped. */
  private async ask(): Promise<TakeAnswer | null> {
    const { nc, signer } = this.connection;
    const subject = workerSubject(this.key, 'take');
    const identity = ownIdentity(1);
    const payload = JSON.stringify({ nonce: randomUUID(), identity, fingerprints: this.fingerprints });
    const headers = sign(signer, subject, payload);
    const answer = await nc.request(subject, payload, { headers, timeout: 5000 }).catch(() => null);
    return answer?.json<TakeAnswer>() ?? null;
  }

  private async send(id: string, job: ShardJob): Promise<void> {
    const { js, signer } = this.connection;
    const { content, games, networkEvaluations = 0 }: Sent = await TRICKS[this.trick](job);
    const ref = await refOf(content);
    await putContent(js, content, (part) => shardSubject(this.key, ref.sha256, part));
    const effort = { seconds: 1, networkEvaluations, cacheHits: 0 };
    const outcome = { kind: 'shard', content: ref, games, effort };
    const subject = resultSubject(this.key, id);
    const payload = JSON.stringify({ identity: ownIdentity(1), fingerprints: this.fingerprints, outcome });
    await js.publish(subject, payload, { headers: sign(signer, subject, payload) });
  }
}
