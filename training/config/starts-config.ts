import * as z from 'zod';
import { MAX_GENERATIONS } from './setting-limits.js';

/** Starting positions of self-play. Shares are of games; the remaining games begin at the initial position. */
export const StartsConfig = z
  .strictObject({
    carefulShare: z.number().min(0).max(1).default(0).meta({
      description: 'share of games that begin after random moves by `careful`, which lose nothing at once',
    }),
    carefulPlies: z.int().min(1).max(256).default(12).meta({
      description: 'largest number of these moves; at least one is played',
    }),
    archiveShare: z.number().min(0).max(1).default(0).meta({
      description: 'share of games that begin at a random position of an earlier game',
    }),
    forkShare: z.number().min(0).max(1).default(0).meta({
      description:
        'share of games that begin at such a position after another move than the one played: the move with the highest policy among the others that do not end the game',
    }),
    archiveGenerations: z.int().min(1).max(MAX_GENERATIONS).default(8).meta({
      description: 'newest generations whose games supply these positions, the warm start included',
    }),
    reducedShare: z.number().min(0).max(1).default(0).meta({
      description:
        'Gess: share of games that begin with fewer stones, mirrored between the colours, with all rings',
    }),
    reducedStones: z.number().min(0).max(1).default(0.5).meta({
      description: 'share of stones missing in these games, for generation 0',
    }),
    reducedDecay: z.number().min(0).max(1).default(0.9).meta({
      description:
        'factor of `reducedStones` per generation; once no stone is missing, these games begin at the initial position',
    }),
  })
  .superRefine(({ carefulShare, archiveShare, forkShare, reducedShare }, context) => {
    const sum = carefulShare + archiveShare + forkShare + reducedShare;
    // Shares such as 0.7, 0.2 and 0.1 add up to slightly more than 1 in floating point.
    if (sum <= 1 + 1e-9) return;
    context.addIssue({ code: 'custom', message: `expected shares that add up to at most 1, got ${sum}` });
  });
export type StartsConfig = z.infer<typeof StartsConfig>;

/**
 * Start of a game of self-play: the initial position; after random moves that do not lose at once; a position of an earlier
 * game; the same after another move than the one played; fewer stones.
 */
export type StartKind = 'initial' | 'careful' | 'archive' | 'fork' | 'reduced';
