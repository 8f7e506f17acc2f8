import * as z from 'zod';

/** `Rng.state()` in a file or a saved state. A generator whose words are all 0 draws nothing but zeros. */
export const RngState = z
  .array(z.int32())
  .length(4)
  .refine((words) => words.some((word) => word !== 0), 'expected words that are not all 0');
