import { WarmStartConfig } from '../../../../training/config/groups/warm-start-config.js';
import { planShards, type ShardJob } from '../../../../training/self-play/shard-job.js';
import { ownIdentity } from '../../../../training/workers/pool/wire/worker-identity.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';

export const GAME = { id: 'connect-four', rules: 'default' };

/** Jobs of shards of 4 games each. */
export function planned(shards: number, agent = 'alphabeta:depth=2'): Promise<readonly ShardJob[]> {
  return planShards({
    folder: temporaryFolder(),
    game: GAME,
    source: { kind: 'agent', config: { ...WarmStartConfig.parse({}), agent } },
    seed: 5,
    generation: 0,
    firstGame: 40,
    games: 4 * shards,
    gamesPerShard: 4,
    softwareVersion: ownIdentity(1).version,
  });
}
