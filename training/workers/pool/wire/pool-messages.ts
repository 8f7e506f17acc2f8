import * as z from 'zod';
import { SHA256_DIGITS } from '../../../../data/files/content-digest.js';
import { parseJsonText } from '../../../../env/text/json-text.js';
import { SelfPlayConfig } from '../../../config/groups/self-play-config.js';
import { WarmStartConfig } from '../../../config/groups/warm-start-config.js';
import { MAX_MOVE_SECONDS, type MatchGame } from '../../../matches/match-game.js';
import { JobEffort } from '../../../self-play/job-effort.js';
import { GameStatistics } from '../../../self-play/self-play-statistics.js';

/** Maximum length of a message in bytes: the default of servers. */
export const MAX_MESSAGE_BYTES = 2 ** 20;

/** A year: more than any job takes, and few enough for finite, exact sums over a run. */
export const MAX_SECONDS = 3.2e7;

/** Maximum number of values in the JSON of a message. */
const MAX_VALUES = 200_000;

/** Maximum number of games of a job, whose statistics or plans must fit into a message. */
export const MOST_JOB_GAMES = 1000;

const count = z.int().min(0);
const text = z.string().max(200);
const Digest = z.string().regex(SHA256_DIGITS);

/** A reference to content: its SHA-256 and its size in bytes. */
export const ContentRef = z.strictObject({ sha256: Digest, bytes: count });
export type ContentRef = z.infer<typeof ContentRef>;

/** Key of a model among fingerprints; null: no model. */
export function fingerprintKey(model: Pick<ContentRef, 'sha256'> | null): string {
  return model?.sha256 ?? '';
}

const Game = z.strictObject({ id: text, rules: z.string().max(1000) });

const RemoteSource = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('network'),
    model: ContentRef,
    /** Without a teacher: the coordinator plays games with one itself. */
    config: SelfPlayConfig,
  }),
  z.strictObject({ kind: z.literal('agent'), config: WarmStartConfig, models: z.array(ContentRef).max(1) }),
]);

const GamePlan = z.strictObject({
  pair: count,
  agentPlayer: z.union([z.literal(0), z.literal(1)]),
  opening: z.array(count),
});

const RemoteShardJob = z.strictObject({
  kind: z.literal('shard'),
  game: Game,
  source: RemoteSource,
  sourceDigest: Digest,
  seed: count,
  generation: count,
  firstGame: count,
  games: z.int().min(1),
  softwareVersion: text,
});

const RemoteMatchJob = z.strictObject({
  kind: z.literal('match'),
  game: Game,
  /** Texts of the agents, whose models are `sha256:…`. */
  agent: z.string().max(2000),
  opponent: z.string().max(2000),
  models: z.array(ContentRef).max(2),
  seed: count,
  timeMarginMs: z.number().min(0),
  plans: z.array(GamePlan).max(MOST_JOB_GAMES),
});

/** A job for any machine: it names content, not paths. */
export const RemoteJob = z.discriminatedUnion('kind', [RemoteShardJob, RemoteMatchJob]);
export type RemoteJob = z.infer<typeof RemoteJob>;
export type RemoteShardJob = z.infer<typeof RemoteShardJob>;
export type RemoteMatchJob = z.infer<typeof RemoteMatchJob>;

/** The identity of a worker. */
export const WorkerIdentity = z.strictObject({
  /** Version of gess-zero. */
  version: text,
  /** Null in a browser. */
  node: text.nullable(),
  /** Version of onnxruntime-node; in a browser, of onnxruntime-web. */
  onnxRuntime: text,
  /** Versions of the rules and of the encoding of each game, by its id. */
  games: z.array(z.strictObject({ id: text, rulesVersion: count, encodingVersion: count })).max(64),
  processor: text,
  processes: z.int().min(1).max(1024),
});
export type WorkerIdentity = z.infer<typeof WorkerIdentity>;

/** A worker's kernel fingerprint with a model; null for the mathematical functions alone. */
export const KnownFingerprint = z.strictObject({ model: Digest.nullable(), fingerprint: Digest });
export type KnownFingerprint = z.infer<typeof KnownFingerprint>;

/** A worker asks for a job. */
export const TakeRequest = z.strictObject({
  /** Unique to each request, so that a duplicate message takes no second job. */
  nonce: text,
  identity: WorkerIdentity,
  fingerprints: z.array(KnownFingerprint).max(8),
});
export type TakeRequest = z.infer<typeof TakeRequest>;

/** The coordinator's answer. */
export const TakeAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('job'), id: Digest, job: RemoteJob }),
  /** No job is available now. */
  z.strictObject({ kind: z.literal('wait') }),
  /** The worker must compute its fingerprint first. */
  z.strictObject({ kind: z.literal('prove'), game: Game, model: ContentRef.nullable() }),
  z.strictObject({ kind: z.literal('refused'), code: text, message: z.string().max(2000) }),
]);
export type TakeAnswer = z.infer<typeof TakeAnswer>;

/** A worker's heartbeat. */
export const Beat = z.strictObject({
  /** Its jobs, with the number of finished games of each. */
  jobs: z.array(z.strictObject({ id: Digest, games: count })).max(1024),
});
export type Beat = z.infer<typeof Beat>;

/** A job failed at a worker. */
export const Failure = z.strictObject({ id: Digest, message: z.string().max(2000) });
export type Failure = z.infer<typeof Failure>;

/** A worker's result; its content is stored in parts among the worker's shards. */
export const JobOutcome = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('shard'),
    content: ContentRef,
    // A schema describes each fault of each element: without a limit, the faults of one message take gigabytes.
    games: z.array(GameStatistics).max(MOST_JOB_GAMES),
    effort: JobEffort,
  }),
  /** The content is a JSON array of games. */
  z.strictObject({ kind: z.literal('match'), content: ContentRef }),
]);
export type JobOutcome = z.infer<typeof JobOutcome>;

/** A worker's message that it has played a job. */
export const JobResultMessage = z.strictObject({
  identity: WorkerIdentity,
  fingerprints: z.array(KnownFingerprint).max(8),
  outcome: JobOutcome,
});
export type JobResultMessage = z.infer<typeof JobResultMessage>;

const ReportedMove = z.strictObject({
  action: count,
  side: z.union([z.literal(0), z.literal(1)]),
  ms: z
    .number()
    .min(0)
    .max(1000 * MAX_MOVE_SECONDS),
  value: z.number().min(-1).max(1).optional(),
});

/**
 * Games of a match, as a worker reports them. The limits also bound the number of faults, each of which takes memory.
 *
 * @param games maximum number of games.
 * @param plies maximum number of moves of each.
 */
export function reportedGames(games: number, plies: number): z.ZodType<MatchGame[]> {
  return z
    .array(
      z.strictObject({
        ...GamePlan.shape,
        opening: z.array(count).max(plies),
        moves: z.array(ReportedMove).max(plies),
        end: z.enum(['rules', 'plies']),
        points: z.union([z.literal(0), z.literal(0.5), z.literal(1)]),
      }),
    )
    .max(games);
}

/** Parses a message by a schema; null if it is invalid or too long. */
export function parseMessage<Value>(schema: z.ZodType<Value>, data: Uint8Array): Value | null {
  if (data.length > MAX_MESSAGE_BYTES) return null;
  try {
    const value = parseJsonText(new TextDecoder('utf-8', { fatal: true }).decode(data), {
      maxValues: MAX_VALUES,
    });
    return schema.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}
