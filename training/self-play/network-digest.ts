import { contentDigest } from '../../data/files/content-digest.js';
import type { TaughtSelfPlayConfig } from '../config/groups/taught-self-play-config.js';

/** Settings that only divide the work. */
const DIVISION = {
  processes: undefined,
  games: undefined,
  gamesPerShard: undefined,
  concurrentGames: undefined,
  batchSize: undefined,
} as const;

/**
 * SHA-256 of the settings and the network that determine the games of self-play. It runs in browsers too.
 *
 * @param model the file of the network.
 */
export function digestOfNetwork(config: TaughtSelfPlayConfig, model: Uint8Array): Promise<string> {
  // Version 1.0.0 had `search.varianceScale` and no `openingTemperature`: with these values its shards keep their
  // digest.
  const search = config.search.root === 'puct' ? { ...config.search, varianceScale: 0 } : config.search;
  const openingTemperature = config.openingTemperature === 1 ? undefined : config.openingTemperature;
  const settings = JSON.stringify({ ...config, search, openingTemperature, ...DIVISION });
  return contentDigest(new TextEncoder().encode(settings), model);
}
