import * as z from 'zod';

/** `Rng.state()` in a file. A generator whose words are all 0 draws nothing but zeros. */
export const RandomState = z
  .array(z.int32())
  .length(4)
  .refine((words) => words.some((word) => word !== 0), 'expected a word that is not 0');
