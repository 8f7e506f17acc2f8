import * as z from 'zod';
import { validate } from '../../env/problems-text.js';
import type { EnvSpec } from '../../env/environments/env-spec.js';
import { SpaceError } from '../../env/errors.js';
import { JsonTextError, parseJsonText } from '../../env/text/json-text.js';
import type { Space } from '../../env/spaces/space.js';
import { spaceFromJson } from '../../env/spaces/space-json.js';
import { DataError } from '../data-error.js';

/** Changes when a column is added or removed, or changes its meaning. */
export const EPISODE_VERSION = 1;

/** Metadata of a file of episodes, with the names of Minari's datasets. */
export interface DatasetMetadata {
  /** `[namespace/][environment/]name-vVERSION`, such as `gess/quess/random-v0`. */
  readonly datasetId: string;
  /** Name of the author; free text, like the following. */
  readonly author?: string | undefined;
  readonly authorEmail?: string | undefined;
  /** Algorithm that chose the actions. */
  readonly algorithmName?: string | undefined;
  /** Link to the code that made the dataset. */
  readonly codePermalink?: string | undefined;
  readonly description?: string | undefined;
  /** Space of the observations. */
  readonly observationSpace: Space;
  readonly actionSpace: Space;
  /** Version of the program that wrote the file. */
  readonly softwareVersion: string;
}

/** Metadata that follows from the episodes. */
export interface EpisodeFacts {
  /** The spec of all episodes' environment; null if it was not made from a spec. */
  readonly spec: EnvSpec | null;
  readonly agents: readonly string[];
  readonly totalEpisodes: number;
  readonly totalSteps: number;
}

/** `[namespace/][environment/]name-vVERSION`. */
export const DATASET_ID = /^(?:[\w.-]+\/)*[\w.-]+-v\d+$/;

const WORDS = ['author', 'authorEmail', 'algorithmName', 'codePermalink', 'description'] as const;

const json = z.string().transform((text, context): unknown => {
  try {
    return parseJsonText(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    context.addIssue({ code: 'custom', message: `expected JSON: ${error.message}` });
    return z.NEVER;
  }
});
const count = z.string().regex(/^\d+$/).transform(Number).pipe(z.int());
const space = json.transform((parsed, context): Space => {
  try {
    return spaceFromJson(parsed);
  } catch (error) {
    if (!(error instanceof SpaceError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

const Spec = z
  .looseObject({ id: z.string(), kwargs: z.record(z.string(), z.json()), rulesDigest: z.string() })
  .nullable();

const Texts = z.object({
  datasetId: z.string(),
  author: z.string().optional(),
  authorEmail: z.string().optional(),
  algorithmName: z.string().optional(),
  codePermalink: z.string().optional(),
  description: z.string().optional(),
  observationSpace: space,
  actionSpace: space,
  softwareVersion: z.string(),
  envSpec: json.pipe(Spec),
  agents: json.pipe(z.array(z.string()).nonempty()),
  totalEpisodes: count,
  totalSteps: count,
});

/**
 * The metadata as Arrow's schema holds it, in a fixed order.
 *
 * @throws DataError `episode-content` for an invalid id.
 */
export function formatEpisodeMetadata(metadata: DatasetMetadata, facts: EpisodeFacts): Map<string, string> {
  if (!DATASET_ID.test(metadata.datasetId)) {
    const found = `'${metadata.datasetId}'`;
    throw new DataError('episode-content', `expected an id [namespace/][environment/]name-v0, got ${found}`);
  }
  const words = WORDS.flatMap((name): [string, string][] => {
    const text = metadata[name];
    return text === undefined ? [] : [[name, text]];
  });
  return new Map([
    ['episodeVersion', String(EPISODE_VERSION)],
    ['datasetId', metadata.datasetId],
    ...words,
    ['envSpec', JSON.stringify(facts.spec)],
    ['agents', JSON.stringify(facts.agents)],
    ['observationSpace', JSON.stringify(metadata.observationSpace)],
    ['actionSpace', JSON.stringify(metadata.actionSpace)],
    ['totalEpisodes', String(facts.totalEpisodes)],
    ['totalSteps', String(facts.totalSteps)],
    ['softwareVersion', metadata.softwareVersion],
  ]);
}

/**
 * The metadata of episodes from the metadata of an Arrow schema.
 *
 * @param path for messages.
 * @throws DataError `episode-format`, `episode-too-new`.
 */
export function parseEpisodeMetadata(
  path: string,
  texts: ReadonlyMap<string, string>,
): { readonly metadata: DatasetMetadata; readonly facts: EpisodeFacts } {
  const version = count.safeParse(texts.get('episodeVersion')).data;
  if (version === undefined || version === 0) {
    throw new DataError('episode-format', `expected episodes in ${path}: its schema has no episodeVersion`);
  }
  if (version > EPISODE_VERSION) {
    const known = `this program reads version ${EPISODE_VERSION}`;
    throw new DataError('episode-too-new', `${path} has episode version ${version}, ${known}`);
  }
  const read = validate(Texts, Object.fromEntries(texts), (problems, cause) => {
    const message = `expected the metadata of episodes in ${path}: ${problems}`;
    return new DataError('episode-format', message, { cause });
  });
  const { envSpec, agents, totalEpisodes, totalSteps, ...metadata } = read;
  return { metadata, facts: { spec: envSpec as EnvSpec | null, agents, totalEpisodes, totalSteps } };
}
