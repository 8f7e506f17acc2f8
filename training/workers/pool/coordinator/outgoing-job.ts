import { namesProgram, networkOfAgent } from '../../../../agents/agent-spec.js';
import { sha256 } from '../../../../data/files/sealed-json.js';
import { createGame } from '../../../../env/games.js';
import { agentModelPath, playOptionsOfModel, readModelFile } from '../../../export/model-file.js';
import type { GameIdentity } from '../../../games/game-config.js';
import { moduleOfGame } from '../../../games/game-module.js';
import { hasTimeLimit, isTimed, type MatchJob } from '../../../matches/match-job.js';
import { digestOfJob, type ShardJob } from '../../../self-play/shard-job.js';
import { withContent } from '../wire/agent-models.js';
import {
  type ContentRef,
  MOST_JOB_GAMES,
  type RemoteJob,
  type RemoteMatchJob,
  type RemoteShardJob,
  fingerprintKey,
} from '../wire/pool-messages.js';

/** Makes content available to workers. */
export type Offer = (content: Uint8Array) => Promise<ContentRef>;

/** Offers files of this machine to workers; each path is offered once, unless it is forgotten. */
export class OfferedFiles {
  private readonly offer: Offer;
  private readonly byPath = new Map<string, Promise<ContentRef>>();
  private readonly paths = new Map<string, string>();

  constructor(offer: Offer) {
    this.offer = offer;
  }

  /** @throws DataError, AgentError for the file; errors of the server. */
  model(path: string, { id, rules }: GameIdentity): Promise<ContentRef> {
    return this.once(path, async () => readModelFile(path, createGame(id, rules)));
  }

  /** The path of an offered file. */
  pathOf({ sha256: digest }: ContentRef): string {
    return this.paths.get(digest)!;
  }

  /** Forgets what has been offered, for another batch of jobs. */
  forget(): void {
    this.byPath.clear();
    this.paths.clear();
  }

  private once(path: string, read: () => Promise<Uint8Array>): Promise<ContentRef> {
    let found = this.byPath.get(path);
    if (found === undefined) {
      found = read().then(async (content) => {
        const ref = await this.offer(content);
        this.paths.set(ref.sha256, path);
        return ref;
      });
      this.byPath.set(path, found);
    }
    return found;
  }
}

/** Identity of a job: SHA-256 of all that determines its games. */
export function idOfMatch(job: MatchJob): string {
  return sha256(JSON.stringify(job));
}

/** Identity of a job: SHA-256 of all that determines its games. */
export const idOfShard = digestOfJob;

/** Whether other machines can play an agent: programs and pattern networks stay on this one. */
function canTravel(agent: string): boolean {
  return !namesProgram(agent) && networkOfAgent(agent) === null;
}

/** Whether other machines know a game: those from outside the package are played on this one. */
function isKnownElsewhere({ id }: GameIdentity): boolean {
  return moduleOfGame(id) === undefined;
}

/** The job by content; null if only this machine can play it. Throws as `OfferedFiles` does. */
export async function outgoingShard(job: ShardJob, files: OfferedFiles): Promise<RemoteShardJob | null> {
  const { game, source, sourceDigest, seed, generation, firstGame, games, softwareVersion } = job;
  if (!isKnownElsewhere(game) || games > MOST_JOB_GAMES) return null;
  const { id, rules } = game;
  const shared = { sourceDigest, seed, generation, firstGame, games, softwareVersion };
  const common = { kind: 'shard' as const, game: { id, rules }, ...shared };
  if (source.kind === 'agent') {
    const { agent } = source.config;
    if (!canTravel(agent) || hasTimeLimit(agent)) return null;
    const { text, models } = await outgoingAgent(source.config.agent, game, files);
    return { ...common, source: { kind: 'agent', config: { ...source.config, agent: text }, models } };
  }
  const { modelPath: path, config } = source;
  if (config.teacher !== undefined) return null;
  return { ...common, source: { kind: 'network', model: await files.model(path, game), config } };
}

/** An agent's text with its model by content, and with the options that the model's specification adds. */
async function outgoingAgent(
  text: string,
  game: GameIdentity,
  files: OfferedFiles,
): Promise<{ readonly text: string; readonly models: ContentRef[] }> {
  const file = await agentModelPath(text);
  if (file === null) return { text, models: [] };
  const ref = await files.model(file, game);
  // A model that is named by its digest has no specification beside it.
  return { text: withContent(text, ref.sha256, await playOptionsOfModel(file)), models: [ref] };
}

/** The job by content; null if only this machine can play it. Throws as `OfferedFiles` does. */
export async function outgoingMatch(job: MatchJob, files: OfferedFiles): Promise<RemoteMatchJob | null> {
  const { game, seed, timeMarginMs, plans } = job;
  if (!isKnownElsewhere(game) || isTimed(job) || plans.length > MOST_JOB_GAMES) return null;
  if (!canTravel(job.agent) || !canTravel(job.opponent)) return null;
  const agent = await outgoingAgent(job.agent, game, files);
  const opponent = await outgoingAgent(job.opponent, game, files);
  const models = [...new Map([...agent.models, ...opponent.models].map((ref) => [ref.sha256, ref])).values()];
  const { id, rules } = game;
  const texts = { agent: agent.text, opponent: opponent.text };
  const copies = plans.map((plan) => ({ ...plan, opening: [...plan.opening] }));
  return { kind: 'match', game: { id, rules }, ...texts, models, seed, timeMarginMs, plans: copies };
}

/** The models of jobs, each once; null stands for jobs without one. */
export function modelsOf(jobs: readonly (RemoteJob | null)[]): readonly (ContentRef | null)[] {
  const models = new Map<string, ContentRef | null>();
  for (const job of jobs) {
    if (job === null) continue;
    const own =
      job.kind === 'match'
        ? job.models
        : job.source.kind === 'network'
          ? [job.source.model]
          : job.source.models;
    for (const model of own.length === 0 ? [null] : own) models.set(fingerprintKey(model), model);
  }
  return [...models.values()];
}
