import type { Player } from '../../env/game.js';
import { createRng, type Rng } from '../../env/random.js';

/** Number of ranks and of files of the board. */
const BOARD_SIZE = 18;

/** Puts a ring of `stone` at a random empty place of the board. */
function placeRing(cells: string[], stone: string, rng: Rng): void {
  for (;;) {
    const row = rng.integer(BOARD_SIZE - 2);
    const column = rng.integer(BOARD_SIZE - 2);
    const square = Array.from(
      { length: 9 },
      (_, i) => (row + Math.floor(i / 3)) * BOARD_SIZE + column + (i % 3),
    );
    if (square.some((cell) => cells[cell] !== '')) continue;
    for (const [i, cell] of square.entries()) if (i !== 4) cells[cell] = stone;
    return;
  }
}

/**
 * The text of a random Gess position with a ring and `loose` more stones a side: with so few moves that plain minimax
 * can search three plies.
 */
export function fewStones(seed: number, loose: number): string {
  const rng = createRng(seed, 'few stones');
  const player = rng.integer(2) as Player;
  const cells = Array.from({ length: BOARD_SIZE * BOARD_SIZE }, () => '');
  placeRing(cells, 'b', rng);
  placeRing(cells, 'w', rng);
  for (const stone of ['b', 'w']) {
    for (let left = loose; left > 0;) {
      const cell = rng.integer(cells.length);
      if (cells[cell] !== '') continue;
      cells[cell] = stone;
      left -= 1;
    }
  }
  const rows = Array.from({ length: BOARD_SIZE }, (_, row) =>
    cells
      .slice(row * BOARD_SIZE, (row + 1) * BOARD_SIZE)
      .map((stone) => (stone === '' ? '.' : stone))
      .join('')
      .replaceAll(/\.+/g, (run) => String(run.length)),
  );
  return `${rows.join('/')} ${player === 0 ? 'b' : 'w'} ${player}`;
}
