import { opponentOf } from '../game.js';
import { winFor } from './ending.js';
import type { QuessPosition } from './quess-position.js';

const MS_PER_SECOND = 1000;
const SECONDS_TEXT = /^(0|[1-9]\d{0,4})(\.\d{0,2}[1-9])?$/;

/**
 * Takes `seconds`, 0 or more and rounded to whole milliseconds, from the clock of the player to move, who has
 * lost when none are left (Q6.2). Nothing happens in a game that is over. `undoMove` gives them back with the
 * move that follows, or with the one before if none does.
 */
export function spendTime(position: QuessPosition, seconds: number): void {
  const { clocks, player } = position;
  if (position.outcome !== null) return;
  const left = Math.max(0, clocks[player]! - Math.round(seconds * MS_PER_SECOND));
  clocks[player] = left;
  if (left === 0) position.outcome = winFor(opponentOf(player));
}

/** Seconds of whole milliseconds, up to three decimals: `179.25`. */
export function formatSeconds(ms: number): string {
  return String(ms / MS_PER_SECOND);
}

/** Milliseconds of a text that `formatSeconds` writes; undefined for any other. */
export function parseSeconds(text: string): number | undefined {
  return SECONDS_TEXT.test(text) ? Math.round(Number(text) * MS_PER_SECOND) : undefined;
}
