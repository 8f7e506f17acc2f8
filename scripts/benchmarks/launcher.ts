import { join } from 'node:path';

/** The file that starts the program, in a checkout and in an installed package. This module must be compiled. */
export const LAUNCHER = join(import.meta.dirname, '..', '..', '..', 'scripts', 'launch.mjs');
