import { readFile } from 'node:fs/promises';
import type { ShardJob } from '../../../training/self-play/shard-job.js';

/** The bytes of the shards that jobs make, and of their manifests. */
export async function bytesOf(jobs: readonly ShardJob[]): Promise<readonly Buffer[]> {
  const files = jobs.flatMap(({ path }) => [path, path.replace('.arrow', '.json')]);
  return Promise.all(files.map((path) => readFile(path)));
}
