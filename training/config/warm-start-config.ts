import { z } from 'zod';
import { AgentText } from './agent-text.js';

/** Games by a hand-written agent that the first network learns from. */
export const WarmStartConfig = z.strictObject({
  agent: AgentText.default('alphabeta:depth=2').meta({ description: 'who plays them' }),
  games: z.int().min(0).default(0).meta({ description: 'how many; 0 starts from nothing' }),
  randomPlies: z
    .int()
    .min(0)
    .default(6)
    .meta({ description: 'greatest number of plies at the start by `careful`, so that games differ' }),
  randomMoveShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.1)
    .meta({ description: 'share of later moves played by `careful`, not learnt as policy' }),
  sampleShare: z.number().positive().max(1).default(1).meta({
    description:
      'share of the positions of these games that become rows, drawn at random; the games stay the same',
  }),
  quietOnly: z.boolean().default(false).meta({
    description:
      'only positions whose move wins neither material nor the game become rows; the games stay the same',
  }),
});
export type WarmStartConfig = z.infer<typeof WarmStartConfig>;
