import { createRequire } from 'node:module';

/** Version of this package, which checkpoints, shards and exports name. */
export function softwareVersion(): string {
  const { version } = createRequire(import.meta.url)('gess-zero/package.json') as { version: string };
  return version;
}
