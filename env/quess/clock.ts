import { opponentOf } from '../game.js';
import { MS_PER_SECOND } from './clock-seconds.js';
import { winFor } from './ending.js';
import type { QuessPosition } from './quess-position.js';

/**
 * Takes `seconds` (0 or more, rounded to milliseconds) off the clock of the player to move, who loses when no
 * time is left (Q6.2). Has no effect on a finished game. Undoing the next move, or the last one if none
 * follows, restores the time.
 */
export function spendTime(position: QuessPosition, seconds: number): void {
  const { clocks, player } = position;
  if (position.outcome !== null) return;
  const left = Math.max(0, clocks[player]! - Math.round(seconds * MS_PER_SECOND));
  clocks[player] = left;
  if (left === 0) position.outcome = winFor(opponentOf(player));
}
