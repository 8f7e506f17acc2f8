/** Boards of Gess as lists of stones, for tests that build positions. */
export interface Stone {
  readonly color: 'b' | 'w';
  /** Row * 20 + column; row 0 is rank 1. */
  readonly square: number;
}

/** Row * 20 + column of a square such as `c4`. */
export function squareOf(name: string): number {
  return (Number(name.slice(1)) - 1) * 20 + name.charCodeAt(0) - 97;
}

/** The stones of a position's text. */
export function stonesOf(text: string): Stone[] {
  const stones: Stone[] = [];
  for (const [i, rank] of text.split(' ')[0]!.split('/').entries()) {
    const squares = rank.replace(/\d+/g, (run) => '.'.repeat(Number(run)));
    for (const [column, color] of Array.from(squares).entries()) {
      if (color === 'b' || color === 'w') stones.push({ color, square: (18 - i) * 20 + column + 1 });
    }
  }
  return stones;
}

/** The text of a board with these stones, before player and ply. */
export function boardText(stones: readonly Stone[]): string {
  const colors = new Map(stones.map(({ color, square }) => [square, color]));
  const ranks = Array.from({ length: 18 }, (_, i) =>
    Array.from({ length: 18 }, (_, column) => colors.get((18 - i) * 20 + column + 1) ?? '.')
      .join('')
      .replace(/\.+/g, (run) => String(run.length)),
  );
  return ranks.join('/');
}

/** The eight stones of a ring centred on `square`. */
export function ringAt(color: 'b' | 'w', square: number): Stone[] {
  return [-21, -20, -19, -1, 1, 19, 20, 21].map((step) => ({ color, square: square + step }));
}

/** The same position with every stone moved to the square that `to` returns. */
export function rearrange(text: string, to: (square: number) => number): string {
  const stones = stonesOf(text).map(({ color, square }) => ({ color, square: to(square) }));
  return [boardText(stones), ...text.split(' ').slice(1)].join(' ');
}

/** The same position with colours exchanged and ranks mirrored, so that the other player sees the same. */
export function exchangeColors(text: string): string {
  const stones = stonesOf(text).map(({ color, square }) => ({
    color: color === 'b' ? ('w' as const) : ('b' as const),
    square: (19 - Math.floor(square / 20)) * 20 + (square % 20),
  }));
  const [, player, ply] = text.split(' ');
  return `${boardText(stones)} ${player === 'b' ? 'w' : 'b'} ${ply ?? ''}`;
}
