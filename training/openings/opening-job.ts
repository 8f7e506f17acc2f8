import type { Action } from '../../env/game.js';
import { createGame } from '../../env/games.js';
import type { GameIdentity } from '../games/game-config.js';
import { type Balance, type BalanceSettings, judgeOpening } from './balance.js';

/** Openings to judge; plain JSON, which can be sent to another process. */
export interface OpeningJob {
  readonly game: GameIdentity;
  readonly balance: BalanceSettings;
  readonly openings: readonly (readonly Action[])[];
}

/**
 * Judges openings one after another.
 *
 * @param onOpening called with the number of judged openings.
 * @throws NotationError for the game, AgentError for an agent's text.
 */
export async function judgeOpenings(
  job: OpeningJob,
  onOpening?: (judged: number) => void,
): Promise<readonly Balance[]> {
  const game = createGame(job.game.id, job.game.rules);
  const balances: Balance[] = [];
  for (const opening of job.openings) {
    balances.push(await judgeOpening(game, opening, job.balance));
    onOpening?.(balances.length);
  }
  return balances;
}
