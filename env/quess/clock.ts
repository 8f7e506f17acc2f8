import { opponentOf } from '../game.js';
import { winFor } from './ending.js';
import type { QuessPosition } from './quess-position.js';

const MS_PER_SECOND = 1000;
const SECONDS_TEXT = /^(0|[1-9]\d{0,4})(\.\d{0,2}[1-9])?$/;

/**
 * Takes `seconds`, 0 or more, rounded to milliseconds, off the clock of the player to move, who loses when no
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

/** Formats milliseconds as seconds with up to three decimals: `179.25`. */
export function formatSeconds(ms: number): string {
  return String(ms / MS_PER_SECOND);
}

/** Inverse of `formatSeconds`, in milliseconds; undefined for any other text. */
export function parseSeconds(text: string): number | undefined {
  return SECONDS_TEXT.test(text) ? Math.round(Number(text) * MS_PER_SECOND) : undefined;
}
