/**
 * One position of one game, as a shard holds it: a row. Values are to the player to move. `L` is the
 * number of its legal actions.
 */
export interface Sample {
  /** What `Game.pack` wrote: everything the network may see. */
  readonly position: Uint8Array;
  readonly player: 0 | 1;
  readonly ply: number;
  /** `[L]` all legal actions, ascending. */
  readonly actions: Uint16Array;
  /** `[L]` the policy to learn, in the same order; sums to 1. */
  readonly policy: Float32Array;
  /** Weight of the policy in the loss: 0 where no policy is to be learnt from this row. */
  readonly policyWeight: number;
  /** What the search thought, in [-1, 1]; null where nothing searched. */
  readonly rootValue: number | null;
  /** How the game ended: 1 the player to move won, 0 a draw, -1 lost; null when it was truncated. */
  readonly result: -1 | 0 | 1 | null;
  /** Plies from here to the game's end, at least 1; a resigned game ends where it was given up. */
  readonly pliesLeft: number;
  /** Simulations (or 0 for an agent without) behind the policy. */
  readonly searchSize: number;
  /** Number of the game in its run; the rows of one game are neighbours. */
  readonly gameId: number;
  /** The action that was played; null where it is not known: in shards of version 1. */
  readonly played: number | null;
  /** What `Game.pack` wrote of the position that the game ended in; null exactly where `played` is. */
  readonly finalPosition: Uint8Array | null;
  /**
   * Kullback-Leibler divergence of the policy to learn from the priors of the searched root in nats: how much the search
   * changed the network's mind. Null where no full search was made.
   */
  readonly surprise: number | null;
}
