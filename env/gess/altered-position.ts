import type { Player } from '../game.js';
import { SIZE } from './gess-board.js';
import { clonePosition, type GessPosition, settle } from './gess-position.js';

/** The same board with `player` to move, without history. */
export function withPlayer(position: GessPosition, player: Player): GessPosition {
  const copy = clonePosition(position);
  copy.player = player;
  settle(copy);
  return copy;
}

/**
 * The position without the stone on `square`, `row * 20 + column`, and without history. A player whose last ring was
 * broken by that has lost.
 */
export function withoutStone(position: GessPosition, square: number): GessPosition {
  const copy = clonePosition(position);
  for (const rows of copy.stones) rows[Math.floor(square / SIZE) + 1]! &= ~(1 << (square % SIZE));
  settle(copy);
  return copy;
}
