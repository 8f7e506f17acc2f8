import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The value of an environment variable; empty counts as unset, as in the XDG base directory specification. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

/**
 * The folder for files that are too large to download for every checkout: `GESS_CACHE`, or `gess-zero` in
 * `XDG_CACHE_HOME` or `~/.cache`. It may not exist. Removing it is always safe: `gess setup` restores it.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const shared = variable(env, 'XDG_CACHE_HOME') ?? join(homedir(), '.cache');
  return resolve(variable(env, 'GESS_CACHE') ?? join(shared, 'gess-zero'));
}
