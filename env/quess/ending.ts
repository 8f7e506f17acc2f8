import { opponentOf, type Outcome, type Player } from '../game.js';
import { countBits } from '../bit-counting.js';
import { DARK_ZONE, LIGHT_ZONE } from './quess-board.js';
import { hasMove } from './quess-move-generation.js';
import type { QuessPosition } from './quess-position.js';

/** Pieces in the opponent's starting zone that win (Q4.1). */
export const PIECES_THAT_WIN = 2;

/** The number of pieces of `player`. */
export function countPieces({ occupied }: QuessPosition, player: Player): number {
  return countBits(occupied[player * 2]!) + countBits(occupied[player * 2 + 1]!);
}

/** The number of pieces of `player` in the opponent's starting zone. */
export function countInZone({ occupied }: QuessPosition, player: Player): number {
  return player === 0 ? countBits(occupied[1]! & DARK_ZONE) : countBits(occupied[2]! & LIGHT_ZONE);
}

/** The outcome in which `player` has won. */
export function winFor(player: Player): Outcome {
  return player === 0 ? 1 : -1;
}

/** The outcome by the rules without clocks (Q4, Q5), after a move of the opponent of the player to move. */
export function outcomeOnBoard(position: QuessPosition): Outcome | null {
  const mover = opponentOf(position.player);
  if (countInZone(position, mover) >= PIECES_THAT_WIN) return winFor(mover);
  if (!hasMove(position)) return winFor(mover);
  if (countPieces(position, 0) !== 1 || countPieces(position, 1) !== 1) return null;
  return Math.sign(position.clocks[0]! - position.clocks[1]!) as Outcome;
}

/**
 * Derives all other fields from cells, player, prior bars and clocks, without history. The cells must have
 * been set by `setPiece`. A player without time left has lost, whatever the board.
 */
export function settle(position: QuessPosition): void {
  position.historyLength = 0;
  position.firstAlike = 0;
  position.turnClock = position.clocks[position.player]!;
  const loser = position.isTimed ? (position.clocks.indexOf(0) as Player | -1) : -1;
  if (loser === -1) position.outcome = outcomeOnBoard(position);
  else position.outcome = winFor(opponentOf(loser));
}
