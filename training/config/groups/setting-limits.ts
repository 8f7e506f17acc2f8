/** Most games of a match or of a generation. */
export const MAX_GAMES = 1_000_000;
/** Most worker processes of a machine. */
export const MAX_PROCESSES = 256;
/** Most generations of a run. */
export const MAX_GENERATIONS = 100_000;
/** Most steps of learning. */
export const MAX_STEPS = 1_000_000_000;
/** Most random plies before the first move of an agent in a match. */
export const MAX_OPENING_PLIES = 100;
/** Most plies of a setting: above the ply limit of every game, so that it can mean "all plies". */
export const MAX_PLIES = 1_000_000;
/** Most entries of a list of settings. */
export const MAX_ENTRIES = 100;
