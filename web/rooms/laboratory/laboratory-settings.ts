import type { SearchConfig } from '../../../agents/search-config.js';
import { PUCT_DEFAULTS } from '../../../agents/search-defaults.js';
import { LearnerConfig } from '../../../training/config/groups/learner-config.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import { NetworkConfig } from '../../../training/network/network-config.js';

/** Games of a generation, all played at once. */
export const GAMES = 64;

/** Generations whose games are learnt from. */
export const WINDOW = 6;

/** The last generation: bounds the memory, 100 kB of weights each. */
export const MAX_GENERATIONS = 200;

/** A network that learns in minutes on one core: 24,000 weights. */
export const NETWORK = NetworkConfig.parse({ channels: 16, blocks: 2, valueHidden: 32 });

/** Self-play with few simulations, which a Gumbel root uses best. */
export const SELF_PLAY = SelfPlayConfig.parse({
  concurrentGames: GAMES,
  batchSize: GAMES,
  temperaturePlies: 12,
  search: { root: 'gumbel', simulations: 16, consideredActions: 7 },
});

/** Learning with few, large steps. */
export const LEARNER = LearnerConfig.parse({
  batchSize: 128,
  learningRate: 4e-3,
  valueMix: 0.5,
  averaging: { kind: 'exponential', decay: 0.97 },
});

/** The search of a generation against a person. */
export function searchOf(simulations: number): SearchConfig {
  return { ...PUCT_DEFAULTS, simulations };
}
