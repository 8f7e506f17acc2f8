import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { exists } from '../../data/files/atomic-file.js';
import type { Game } from '../../env/game.js';

/**
 * Finds the shipped book for a game and its rules, `configs/openings/GAME-RULES.txt`.
 *
 * @returns its path; null if there is none.
 */
export async function shippedBook({
  id,
  rules,
}: Pick<Game<unknown>, 'id' | 'rules'>): Promise<string | null> {
  const root = dirname(createRequire(import.meta.url).resolve('gess-zero/package.json'));
  const path = join(root, 'configs', 'openings', `${id}-${rules.replaceAll(/[^a-z0-9-]+/gi, '-')}.txt`);
  return (await exists(path)) ? path : null;
}
