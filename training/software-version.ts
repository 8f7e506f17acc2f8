import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The version in the `package.json` of a package that is installed. */
export function versionOf(name: string): string {
  const { version } = require(`${name}/package.json`) as { version: string };
  return version;
}

/** Version of this package, which checkpoints, shards and exports name. */
export function softwareVersion(): string {
  return versionOf('gess-zero');
}
