/** Greatest number of candidate lines of a search. */
export const MAX_LINES = 64;
/** Greatest value of the option `Seed`. */
export const MAX_SEED = 2 ** 31 - 1;
