import { createGame, GAME_IDS } from '../../../../env/games.js';
import type { WorkerIdentity } from './pool-messages.js';

/** Versions of the rules and of the encoding of each game of this program. */
export function gameVersions(): WorkerIdentity['games'] {
  return GAME_IDS.map((id) => {
    const { rulesVersion, encodingVersion } = createGame(id);
    return { id, rulesVersion, encodingVersion };
  });
}
