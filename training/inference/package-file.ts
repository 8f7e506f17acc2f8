import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The path of a file or folder that this package ships, by the parts of its path in the package. */
export function packageFile(...parts: readonly string[]): string {
  return join(dirname(require.resolve('gess-zero/package.json')), ...parts);
}
