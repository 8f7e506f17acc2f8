import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from './package-file.js';

/** The folder that the package has for the models of a game's name; undefined for other texts, such as paths. */
export function modelsFolder(name: string): string | undefined {
  if (!/^[a-z][a-z-]*$/.test(name)) return undefined;
  const folder = packageFile('models', name);
  return existsSync(folder) ? folder : undefined;
}

/** The folder of the pattern network that the package ships by the name of a game; undefined if there is none. */
export function shippedPatterns(name: string): string | undefined {
  const models = modelsFolder(name);
  const folder = models === undefined ? undefined : join(models, 'patterns');
  return folder !== undefined && existsSync(folder) ? folder : undefined;
}

/** The folder of the pattern network that an agent's text names: one that the package ships, or a path. */
export function patternsFolder(network: string): string {
  return shippedPatterns(network) ?? network;
}
