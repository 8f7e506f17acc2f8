import type { Game } from '../../env/game.js';
import { type Level, levelsOf, MODEL } from '../../session/levels.js';
import { hasShippedNetwork } from '../../training/export/shipped-models.js';

/** The levels of the opponents of a game, the weakest first. */
export function levelsOfGame(game: Game<unknown>): readonly Level[] {
  return levelsOf(hasShippedNetwork(game) ? 'network' : 'alpha-beta');
}

/** The text of the opponent of a level, from 1, the weakest, to the number of levels. */
export function agentOfLevel(game: Game<unknown>, level: number): string {
  return levelsOfGame(game)[level - 1]!.agent.replace(MODEL, game.id);
}
