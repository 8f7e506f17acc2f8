/** A range of consecutive games of a generation, by number. */
export interface GameRange {
  readonly firstGame: number;
  readonly games: number;
}
