import { z } from 'zod';
import type { Game } from '../../env/game.js';

/** Shape of the network. */
export const NetworkConfig = z.strictObject({
  channels: z.int().min(1).max(512).default(32).meta({ description: 'channels of the trunk' }),
  blocks: z.int().min(0).max(64).default(4).meta({ description: 'residual blocks of two convolutions' }),
  valueHidden: z.int().min(1).max(1024).default(64).meta({ description: 'hidden units of the value head' }),
  globalPoolEvery: z.int().min(0).max(64).default(0).meta({
    description:
      'every so many blocks, at most `blocks`, one adds what it pools from the whole board; 0: none',
  }),
  globalPoolChannels: z.int().min(1).max(512).default(8).meta({ description: 'channels that are pooled' }),
  policyAttention: z.int().min(0).max(512).default(0).meta({
    description:
      'length of the vectors of the two squares of a move whose product its logit is; 0: logits are of the first square alone',
  }),
  movesLeft: z.boolean().default(false).meta({ description: 'a head that tells the plies left' }),
  holders: z.boolean().default(false).meta({
    description: 'a head that tells who holds each square at the end; for learning only',
  }),
  rings: z.boolean().default(false).meta({
    description: 'Gess: a head that tells whether the rings survive the next plies; for learning only',
  }),
  reply: z.boolean().default(false).meta({
    description: "a head that tells the opponent's next move; for learning only",
  }),
  shortTerm: z.boolean().default(false).meta({
    description: 'a head that tells the value that searches see some plies later; for learning only',
  }),
});
export type NetworkConfig = z.infer<typeof NetworkConfig>;

/** Whether `game` can have such a network: attention needs moves that go from square to square. */
export function canHaveNetwork(
  game: Pick<Game<unknown>, 'policyTargets'>,
  { policyAttention }: Pick<NetworkConfig, 'policyAttention'>,
): boolean {
  // Looked at only where needed: some games make the targets at the first look.
  return policyAttention === 0 || game.policyTargets !== undefined;
}
