import type { GessRules } from '../../env/gess/rules.js';
import { boardText, stonesOf } from './gess-boards.js';

/**
 * Gess once more, slow and literal: squares are 'file,rank' with a = 1, boards are maps from squares to
 * stones, every step of every move is walked. Written from the rules, to be compared with the fast engine.
 */
export interface ReferencePosition {
  readonly stones: ReadonlyMap<string, 'b' | 'w'>;
  readonly player: 'b' | 'w';
  readonly ply: number;
}

interface Square {
  readonly file: number;
  readonly rank: number;
}

const STEPS: readonly Square[] = [-1, 0, 1]
  .flatMap((file) => [-1, 0, 1].map((rank) => ({ file, rank })))
  .filter(({ file, rank }) => file !== 0 || rank !== 0);

function key({ file, rank }: Square): string {
  return `${file},${rank}`;
}

function name({ file, rank }: Square): string {
  return `${'abcdefghijklmnopqrst'.charAt(file - 1)}${rank}`;
}

function plus(square: Square, step: Square, times: number): Square {
  return { file: square.file + step.file * times, rank: square.rank + step.rank * times };
}

function isOnBoard({ file, rank }: Square): boolean {
  return file >= 2 && file <= 19 && rank >= 2 && rank <= 19;
}

function footprint(center: Square): Square[] {
  return [center, ...STEPS.map((step) => plus(center, step, 1))];
}

/** Squares by which a footprint is off the board at its left, right, lower and upper side. */
function overhang(center: Square): number[] {
  return [center.file - 1, center.rank - 1, 20 - center.file, 20 - center.rank].map((inside) =>
    Math.max(0, 2 - inside),
  );
}

export function readReference(text: string): ReferencePosition {
  const [, player, ply] = text.split(' ');
  const stones = stonesOf(text).map(
    ({ color, square }) =>
      [key({ file: (square % 20) + 1, rank: Math.floor(square / 20) + 1 }), color] as const,
  );
  return { stones: new Map(stones), player: player === 'w' ? 'w' : 'b', ply: Number(ply) };
}

export function writeReference({ stones, player, ply }: ReferencePosition): string {
  const list = [...stones].map(([square, color]) => {
    const [file = 0, rank = 0] = square.split(',').map(Number);
    return { color, square: (rank - 1) * 20 + file - 1 };
  });
  return `${boardText(list)} ${player} ${ply}`;
}

function hasRing({ stones }: ReferencePosition, color: 'b' | 'w'): boolean {
  for (let file = 3; file <= 18; file++) {
    for (let rank = 3; rank <= 18; rank++) {
      const center = { file, rank };
      if (stones.has(key(center))) continue;
      if (STEPS.every((step) => stones.get(key(plus(center, step, 1))) === color)) return true;
    }
  }
  return false;
}

/** Black's result, or null. The player who is not to move made the last move. */
export function referenceOutcome(position: ReferencePosition): -1 | 1 | null {
  const mover = position.player === 'b' ? 'w' : 'b';
  const asBlack = (winner: 'b' | 'w'): -1 | 1 => (winner === 'b' ? 1 : -1);
  if (!hasRing(position, mover)) return asBlack(position.player);
  return hasRing(position, position.player) ? null : asBlack(mover);
}

/** Whether a move ends with this step by the rule for edges. */
function endsAtEdge(
  rules: GessRules,
  piece: readonly Square[],
  path: { start: Square; step: Square; distance: number },
): boolean {
  const { start, step, distance } = path;
  const center = plus(start, step, distance);
  switch (rules.edge) {
    case 'free':
      return false;
    case 'strict':
      return !footprint(center).every(isOnBoard);
    case 'stone':
      return piece.some((square) => !isOnBoard(plus(square, step, distance)));
    case 'enter': {
      const before = overhang(plus(start, step, distance - 1));
      return overhang(center).some((squares, side) => squares > before[side]!);
    }
  }
}

/** How far the piece goes in the direction of `step`. */
function walk(position: ReferencePosition, rules: GessRules, start: Square, step: Square): number {
  const { stones } = position;
  const own = footprint(start);
  const ownKeys = new Set(own.map(key));
  const piece = own.filter((square) => stones.has(key(square)));
  const limit = stones.has(key(start)) ? 18 : 3;
  for (let distance = 1; distance <= limit; distance++) {
    const center = plus(start, step, distance);
    const mayEnd = rules.endOffBoard ? footprint(center).some(isOnBoard) : isOnBoard(center);
    if (!mayEnd) return distance - 1;
    const covers = footprint(center).some((square) => !ownKeys.has(key(square)) && stones.has(key(square)));
    if (covers || endsAtEdge(rules, piece, { start, step, distance })) return distance;
  }
  return limit;
}

/** Every legal move, by its text, with the position it leads to. */
export function referenceMoves(
  position: ReferencePosition,
  rules: GessRules,
): Map<string, () => ReferencePosition> {
  const moves = new Map<string, () => ReferencePosition>();
  if (referenceOutcome(position) !== null) return moves;
  for (let file = 1; file <= 20; file++) {
    for (let rank = 1; rank <= 20; rank++) {
      const start = { file, rank };
      if (!rules.startOffBoard && !isOnBoard(start)) continue;
      const stones = footprint(start).map((square) => position.stones.get(key(square)));
      if (!stones.includes(position.player) || stones.includes(position.player === 'b' ? 'w' : 'b')) continue;
      for (const step of STEPS) {
        if (!position.stones.has(key(plus(start, step, 1)))) continue;
        const farthest = walk(position, rules, start, step);
        for (let distance = 1; distance <= farthest; distance++) {
          const end = plus(start, step, distance);
          const play = (): ReferencePosition => move(position, start, end);
          if (rules.suicide === 'illegal' && !hasRing(play(), position.player)) continue;
          moves.set(`${name(start)}-${name(end)}`, play);
        }
      }
    }
  }
  return moves;
}

function move(position: ReferencePosition, start: Square, end: Square): ReferencePosition {
  const stones = new Map(position.stones);
  for (const square of footprint(start)) stones.delete(key(square));
  for (const square of footprint(end)) stones.delete(key(square));
  for (const square of footprint(start)) {
    const color = position.stones.get(key(square));
    const to = { file: square.file + end.file - start.file, rank: square.rank + end.rank - start.rank };
    if (color !== undefined && isOnBoard(to)) stones.set(key(to), color);
  }
  return { stones, player: position.player === 'b' ? 'w' : 'b', ply: position.ply + 1 };
}
