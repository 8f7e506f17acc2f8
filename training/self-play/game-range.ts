/** Which games of a run are played. */
export interface GameRange {
  readonly firstGame: number;
  readonly games: number;
}
