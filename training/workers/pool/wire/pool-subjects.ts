/** JetStream streams. Files go from the coordinator to the workers, shards and results from the workers to it. */
export const FILES_STREAM = 'GESS_FILES';
export const SHARDS_STREAM = 'GESS_SHARDS';
export const RESULTS_STREAM = 'GESS_RESULTS';

/** Kinds of a worker's messages to the coordinator outside of streams: the last token of the subject. */
export type Verb = 'take' | 'beat' | 'failed';

/** In place of a token of a subject: all subjects with any such token. */
export const ANY = '*';

/** Subject of a part of a file, which every worker may read. */
export function fileSubject(digest: string, part: number | typeof ANY): string {
  return `gess.files.${digest}.${part}`;
}

/** Subject of a part of a worker's content, which only this worker may write. */
export function shardSubject(key: string, digest: string, part: number | typeof ANY): string {
  return `gess.shards.${key}.${digest}.${part}`;
}

/** Subject of a worker's result of a job. */
export function resultSubject(key: string, job: string): string {
  return `gess.results.${key}.${job}`;
}

/** Subject of a worker's messages to the coordinator. */
export function workerSubject(key: string, verb: Verb | typeof ANY): string {
  return `gess.worker.${key}.${verb}`;
}

/** The worker's key in the subject of a shard, a result or a message; empty for other subjects. */
export function keyOf(subject: string): string {
  return subject.split('.')[2] ?? '';
}

/** The job in a `resultSubject`, the verb in a `workerSubject`; empty for other subjects. */
export function jobOrVerbOf(subject: string): string {
  return subject.split('.')[3] ?? '';
}

/** Subject on which the coordinator announces jobs. */
export const WAKE_SUBJECT = 'gess.wake';

/** Subject of requests for the coordinator's state; requests are not authenticated, so the answer holds no secrets. */
export const STATUS_SUBJECT = 'gess.status';

/** Prefix of the subjects on which a worker receives answers. */
export function inboxPrefix(key: string): string {
  return `_INBOX_${key}`;
}
