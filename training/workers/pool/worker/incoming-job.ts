import { join } from 'node:path';
import type { MatchJob } from '../../../matches/match-job.js';
import { digestOfSource, type GameSource, type ShardJob } from '../../../self-play/shard-job.js';
import { softwareVersion } from '../../../software-version.js';
import { TrainingError } from '../../../training-error.js';
import { digestOfAgent, withModel } from '../wire/agent-models.js';
import type { ContentCache } from './content-cache.js';
import { expectSource, expectVersion } from './job-checks.js';
import type { ContentRef, RemoteMatchJob, RemoteShardJob } from '../wire/pool-messages.js';

/** The text of an agent whose model is a file of the cache. */
async function incomingAgent(
  text: string,
  models: readonly ContentRef[],
  cache: ContentCache,
): Promise<string> {
  const digest = digestOfAgent(text);
  if (digest === null) return text;
  const ref = models.find(({ sha256 }) => sha256 === digest);
  if (ref === undefined) throw new TrainingError('pool-content', `expected the size of the model ${digest}`);
  return withModel(text, await cache.model(ref));
}

async function incomingSource(source: RemoteShardJob['source'], cache: ContentCache): Promise<GameSource> {
  if (source.kind === 'agent') {
    const { config, models } = source;
    return { kind: 'agent', config: { ...config, agent: await incomingAgent(config.agent, models, cache) } };
  }
  const { model, config } = source;
  return { kind: 'network', modelPath: await cache.model(model), config };
}

/**
 * Translates a coordinator's job into a local one.
 *
 * @param folder for the shard.
 * @throws TrainingError `pool-version`, `pool-content`; DataError for the cache; errors of the server.
 */
export async function incomingShard(
  id: string,
  remote: RemoteShardJob,
  { cache, folder }: { readonly cache: ContentCache; readonly folder: string },
): Promise<ShardJob> {
  const { game, sourceDigest, seed, generation, firstGame, games, softwareVersion: version } = remote;
  const job = { game, sourceDigest, seed, generation, firstGame, games, softwareVersion: version };
  expectVersion(job.softwareVersion, softwareVersion());
  const source = await incomingSource(remote.source, cache);
  if (source.kind === 'network') expectSource(await digestOfSource(source), job.sourceDigest);
  return { ...job, source, path: join(folder, `${id}.arrow`) };
}

/** Translates a coordinator's match job into a local one. Throws as `incomingShard` does. */
export async function incomingMatch(remote: RemoteMatchJob, cache: ContentCache): Promise<MatchJob> {
  const { game, agent, opponent, models, seed, timeMarginMs, plans } = remote;
  return {
    ...{ game, seed, timeMarginMs, plans },
    agent: await incomingAgent(agent, models, cache),
    opponent: await incomingAgent(opponent, models, cache),
  };
}
