import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The folder that the package has for the models of a game's name; undefined for other texts, such as paths. */
export function packageFolder(name: string): string | undefined {
  if (!/^[a-z][a-z-]*$/.test(name)) return undefined;
  const folder = join(dirname(require.resolve('gess-zero/package.json')), 'models', name);
  return existsSync(folder) ? folder : undefined;
}

/** The folder of the pattern network that the package ships by the name of a game; undefined if there is none. */
export function shippedPatterns(name: string): string | undefined {
  const models = packageFolder(name);
  const folder = models === undefined ? undefined : join(models, 'patterns');
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

/** The folder of the pattern network that an agent's text names: one that the package ships, or a path. */
export function patternsFolder(network: string): string {
  return shippedPatterns(network) ?? network;
}
