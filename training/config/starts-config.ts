import { z } from 'zod';

/** Where games of self-play begin. The shares are of games; the rest begin at the game's own start. */
export const StartsConfig = z
  .strictObject({
    carefulShare: z.number().min(0).max(1).default(0).meta({
      description: 'share of games that begin after random moves by `careful`, which keep the ring in Gess',
    }),
    carefulPlies: z.int().min(1).max(256).default(12).meta({
      description: 'greatest number of these moves, at least one',
    }),
    archiveShare: z.number().min(0).max(1).default(0).meta({
      description: 'share of games that begin at a random position of an earlier game',
    }),
    forkShare: z.number().min(0).max(1).default(0).meta({
      description:
        'share of games that begin at such a position after another move than was played: the best of the others by its policy that does not end the game',
    }),
    archiveGenerations: z.int().min(1).default(8).meta({
      description: 'newest generations whose games these are, the warm start included',
    }),
    reducedShare: z.number().min(0).max(1).default(0).meta({
      description: 'Gess: share of games that begin with fewer stones, the same of both colours, rings kept',
    }),
    reducedStones: z.number().min(0).max(1).default(0.5).meta({
      description: 'share of the stones that are missing then, in games by generation 0',
    }),
    reducedDecay: z.number().min(0).max(1).default(0.9).meta({
      description:
        'factor of that share from each generation to the next; where no stone is missing, such games begin as usual',
    }),
  })
  .superRefine(({ carefulShare, archiveShare, forkShare, reducedShare }, context) => {
    const sum = carefulShare + archiveShare + forkShare + reducedShare;
    // Shares such as 0.7, 0.2 and 0.1 add up to a little more than 1 in floating point.
    if (sum <= 1 + 1e-9) return;
    context.addIssue({ code: 'custom', message: `expected shares that add up to at most 1, got ${sum}` });
  });
export type StartsConfig = z.infer<typeof StartsConfig>;

/**
 * Where a game of self-play begins: at the game's own start; after random moves that do not lose at once; at a position of
 * an earlier game; after another move than was played there; with fewer stones.
 */
export type StartKind = 'initial' | 'careful' | 'archive' | 'fork' | 'reduced';
