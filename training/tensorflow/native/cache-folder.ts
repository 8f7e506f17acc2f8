import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The value of a variable; an empty one counts as unset, as the XDG base directory specification has it. */
function variable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

/**
 * The folder, possibly not there yet, that keeps what is too large to download for every checkout:
 * `GESS_CACHE`, or `gess-zero` in `XDG_CACHE_HOME` or `~/.cache`. Removing it is always safe: `gess setup`
 * makes it anew.
 */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const shared = variable(env, 'XDG_CACHE_HOME') ?? join(homedir(), '.cache');
  return resolve(variable(env, 'GESS_CACHE') ?? join(shared, 'gess-zero'));
}
