import * as z from 'zod';

/** Weight of one loss in the sum. */
export const lossWeight = z.number().min(0).max(1000);
