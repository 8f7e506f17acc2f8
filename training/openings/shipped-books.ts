import { exists } from '../../data/files/atomic-file.js';
import type { Game } from '../../env/game.js';
import { packageFile } from '../inference/package-file.js';

/**
 * Finds the shipped book for a game and its rules, `configs/openings/GAME-RULES.txt`.
 *
 * @returns its path; null if there is none.
 */
export async function shippedBook({
  id,
  rules,
}: Pick<Game<unknown>, 'id' | 'rules'>): Promise<string | null> {
  const path = packageFile('configs', 'openings', `${id}-${rules.replaceAll(/[^a-z0-9-]+/gi, '-')}.txt`);
  return (await exists(path)) ? path : null;
}
