/** Evaluations that the cache of self-play, or of a search that makes targets, keeps. */
export const CACHE_SIZE = 20_000;
