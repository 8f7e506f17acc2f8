import type { Game, Player } from '../../game.js';

/** The source of a position's observations. */
export interface ObservedPosition<State> {
  readonly game: Game<State>;
  readonly state: State;
  /** Different for every position; observations of another version are outdated. */
  readonly version: number;
  /** The legal actions of `player`, ascending; empty if the player is not to move or the episode is over. */
  legalActions(player: Player): Int32Array;
  /**
   * The position after the first `plies` moves in the history of `state`, a current or earlier state of this
   * position.
   */
  rewound(state: State, plies: number): ObservedPosition<State>;
}

/** Sets the elements of the legal actions to 1. */
export function markLegal(mask: Uint8Array, legal: Int32Array): void {
  const count = legal.length;
  for (let i = 0; i < count; i++) mask[legal[i]!] = 1;
}
