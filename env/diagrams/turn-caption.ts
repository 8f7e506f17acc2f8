/** A position as its caption needs it. */
export interface CaptionedPosition {
  readonly ply: number;
  readonly player: 0 | 1;
  /** 1 if player 0 has won, -1 if player 1 has, 0 for a draw; null while the game goes on. */
  readonly outcome: -1 | 0 | 1 | null;
}

function describeTurn({ player, outcome }: CaptionedPosition, names: readonly [string, string]): string {
  if (outcome === null) return `${names[player]} to move`;
  return outcome === 0 ? 'a draw' : `${names[outcome === 1 ? 0 : 1]} has won`;
}

/**
 * The line below a board: `ply 3, yellow to move, last move 4`.
 *
 * @param names of players 0 and 1.
 * @param lastMove null if there was none, or if it is not known.
 */
export function turnCaption(
  position: CaptionedPosition,
  names: readonly [string, string],
  lastMove: string | null,
): string {
  const last = lastMove === null ? '' : `, last move ${lastMove}`;
  return `ply ${position.ply}, ${describeTurn(position, names)}${last}`;
}
