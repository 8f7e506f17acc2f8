/** Streams of JetStream. Files go from the coordinator to the workers, shards and results from the workers to it. */
export const FILES_STREAM = 'GESS_FILES';
export const SHARDS_STREAM = 'GESS_SHARDS';
export const RESULTS_STREAM = 'GESS_RESULTS';

/** The messages of a worker to the coordinator outside of streams; the last word of the subject. */
export type Verb = 'take' | 'beat' | 'failed';

/** Subject of a part of a file. Each worker may read them. */
export function fileSubject(digest: string, part: number): string {
  return `gess.files.${digest}.${part}`;
}

/** Subject of a part of what a worker has made. It alone may write there. */
export function shardSubject(key: string, digest: string, part: number): string {
  return `gess.shards.${key}.${digest}.${part}`;
}

/** Subject of a worker's result of a job. */
export function resultSubject(key: string, job: string): string {
  return `gess.results.${key}.${job}`;
}

/** Subject of a worker's messages to the coordinator. */
export function workerSubject(key: string, verb: Verb): string {
  return `gess.worker.${key}.${verb}`;
}

/** The coordinator publishes here that there are jobs. */
export const WAKE_SUBJECT = 'gess.wake';

/** The coordinator answers here with its state; who asks proves nothing, so the answer holds no secrets. */
export const STATUS_SUBJECT = 'gess.status';

/** Prefix of the subjects on which a worker receives answers. */
export function inboxPrefix(key: string): string {
  return `_INBOX_${key}`;
}
