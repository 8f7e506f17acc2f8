import type { ShardColumn } from './column-table.js';

/**
 * The meaning of each column of a shard, in the Markdown of docs/reference/formats.md. Values are to the player to move.
 * Apart from the table, which the page loads.
 */
export const COLUMN_TEXTS: Readonly<Record<ShardColumn['name'], string>> = {
  position: 'the packed position, 88 bytes for Gess, 39 for Quess, 7 for Connect Four',
  player: 'the player to move, 0 or 1',
  ply: 'moves played before',
  actions: 'all legal actions, ascending (actions, not policy indices)',
  policy: 'the policy to learn: a probability for each of `actions`, in the same order; sums to 1',
  policyWeight:
    'weight of the policy in the loss, 0 to 65,536. 0: the policy is not learnt; if `searchSize` is above 0 (a cheap search, an adjudicated end), the whole row is not learnt',
  rootValue:
    'value to the player to move, -1 to 1, of the search or of the agent that judged the position; null without one',
  result:
    '1 if the player to move won, 0 for a draw, -1 for a loss; null if the game was truncated at the ply limit, or a random move of self-play came later',
  pliesLeft: 'plies to the end of the game, at least 1; a resigned or adjudicated game ends there',
  searchSize: 'simulations behind the policy; 0 if it is the move of an agent',
  gameId: 'number of the game in its run; the rows of a game are adjacent',
  played: 'the action played; null if unknown',
  finalPosition: 'the packed final position of the game; null where `played` is',
  surprise:
    'Kullback-Leibler divergence of `policy` from the priors at the root (noise included), in nats; null if the policy is not that of a full search',
};
