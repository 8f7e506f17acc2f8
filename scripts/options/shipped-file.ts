import { existsSync } from 'node:fs';
import { normalize } from 'node:path';
import { packageFile } from '../../training/inference/package-file.js';

/** Prefix of the name of a file that the package ships. */
const PREFIX = 'gess-zero/';

/**
 * The path of a file to read. `gess-zero/models/NAME` is the file `models/NAME` of the package, wherever it is
 * installed; other texts are paths, and so is this one if such a file exists.
 */
export function inputPath(text: string): string {
  const inside = normalize(text.slice(PREFIX.length));
  if (!text.startsWith(PREFIX) || inside.startsWith('..') || existsSync(text)) return text;
  return packageFile(inside);
}
