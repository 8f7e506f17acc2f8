import { join } from 'node:path';

/** The file that starts the program. */
export const LAUNCHER = join(import.meta.dirname, '..', '..', '..', 'scripts', 'launch.mjs');
