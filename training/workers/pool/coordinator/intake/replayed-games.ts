import { randomInt } from 'node:crypto';
import type { GameRange } from '../../../../self-play/game-range.js';

/**
 * Indices of a job's games that are replayed, which the worker cannot predict.
 *
 * @param share share of the games, in [0, 1]; a fractional game is rounded up with that probability.
 */
export function gamesToReplay({ firstGame, games }: GameRange, share: number): readonly number[] {
  const wanted = share * games;
  const count = Math.floor(wanted) + (randomInt(2 ** 30) / 2 ** 30 < wanted % 1 ? 1 : 0);
  const left = Array.from({ length: games }, (_, index) => firstGame + index);
  return Array.from({ length: count }, () => left.splice(randomInt(left.length), 1)[0]!);
}
