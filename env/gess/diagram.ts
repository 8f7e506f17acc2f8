import { endSquare, SIZE, startSquare } from './board.js';
import { formatMove, formatSquare } from './notation.js';
import type { GessPosition } from './position.js';
import { NO_ACTION, recentAction } from './position.js';
import { allRings } from './rings.js';

/** Centres of each player's rings, such as `l3`, by rank and file. */
export function nameRings(position: GessPosition): { readonly black: string[]; readonly white: string[] } {
  const [black, white] = position.stones;
  return {
    black: allRings(black, white).map(formatSquare),
    white: allRings(white, black).map(formatSquare),
  };
}

/** `x` and `o` for stones, `.` and, off the board, ` `; the centres of the last move are `+` where empty. */
function squareText(position: GessPosition, row: number, column: number): string {
  const [black, white] = position.stones;
  if ((black[row + 1]! >> column) & 1) return 'x';
  if ((white[row + 1]! >> column) & 1) return 'o';
  const action = recentAction(position, 1);
  const square = row * SIZE + column;
  if (action !== NO_ACTION && (startSquare(action) === square || endSquare(action) === square)) return '+';
  return row >= 1 && row <= 18 && column >= 1 && column <= 18 ? '.' : ' ';
}

/** The board for a terminal, rank 20 at the top, with whose turn it is, the last move and the rings. */
export function renderPosition(position: GessPosition): string {
  const files = `   ${Array.from({ length: SIZE }, (_, column) => String.fromCharCode(97 + column)).join(' ')}`;
  const lines = [files];
  for (let row = SIZE - 1; row >= 0; row--) {
    const squares = Array.from({ length: SIZE }, (_, column) => squareText(position, row, column)).join(' ');
    lines.push(`${String(row + 1).padStart(2)} ${squares} ${row + 1}`);
  }
  lines.push(files, '');
  const rings = nameRings(position);
  const action = recentAction(position, 1);
  const turn =
    position.outcome === null ? `${position.player === 0 ? 'black (x)' : 'white (o)'} to move` : 'over';
  lines.push(
    `ply ${position.ply}, ${turn}${action === NO_ACTION ? '' : `, last move ${formatMove(action)} (+)`}`,
  );
  lines.push(`rings: black ${rings.black.join(' ') || 'none'}, white ${rings.white.join(' ') || 'none'}`);
  return lines.join('\n');
}
