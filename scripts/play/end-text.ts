import { opponentOf } from '../../env/game.js';
import { describeResult } from '../text/game-end-text.js';
import type { PlaySession } from './play-session.js';

/** The result and its reason: `white has won: black has no ring left`; null while the game goes on. */
export function describeEnd(session: PlaySession): string | null {
  const { game, state, agreed } = session;
  if (!session.isOver) return null;
  if (agreed?.kind === 'draw') return 'a draw by agreement';
  if (agreed?.kind === 'resigned') {
    return `${game.playerNames[opponentOf(agreed.by)]} has won: ${game.playerNames[agreed.by]} resigned`;
  }
  const { result } = session;
  const verdict = result === null ? 'over' : describeResult(game, result);
  const reason = game.explainOutcome?.(state);
  return reason === undefined ? verdict : `${verdict}: ${reason}`;
}
