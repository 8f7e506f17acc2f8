import * as z from 'zod';
import { PuctSearchConfig } from './search-config.js';

/** Maximum number of positions of one game that are evaluated together. */
export const leavesOption = z.int().min(1).max(64);
/** Number of board symmetries over which a network is averaged. */
export const symmetriesOption = z.int().min(1).max(8);

/** Precision of the arithmetic of a network: which of the model's files is used. */
export const precisionOption = z.enum(['float32', 'int8']);
/** See `precisionOption`. */
export type Precision = z.infer<typeof precisionOption>;

const { exploration, firstPlayReduction } = PuctSearchConfig.shape;

/**
 * Options of agents with which a model plays best, as its specification lists them. They are the defaults of
 * `mcts:model=…`.
 */
export const PlayOptions = z
  .strictObject({
    exploration: exploration.unwrap(),
    firstPlayReduction: firstPlayReduction.unwrap(),
    symmetries: symmetriesOption,
    leaves: leavesOption,
    precision: precisionOption,
  })
  .partial();
export type PlayOptions = z.infer<typeof PlayOptions>;
