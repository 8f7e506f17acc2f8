import type { EpisodeDataset } from './episode-columns.js';
import { EPISODE_VERSION } from './episode-metadata.js';
import { Histogram, type HistogramSummary } from '../histogram.js';

/** Counts of a file of episodes; plain JSON. */
export interface EpisodesSummary {
  readonly episodeVersion: number;
  readonly datasetId: string;
  readonly author: string | null;
  readonly algorithmName: string | null;
  readonly description: string | null;
  readonly softwareVersion: string;
  /** Id and arguments of the environment; null if it was not made from a spec. */
  readonly environment: { readonly id: string; readonly kwargs: unknown } | null;
  readonly agents: readonly string[];
  readonly observationSpace: unknown;
  readonly actionSpace: unknown;
  readonly hasObservations: boolean;
  readonly episodes: number;
  readonly steps: number;
  /** Number of episodes that ended by the rules. */
  readonly terminated: number;
  /** Number of the other episodes. */
  readonly truncated: number;
  readonly histograms: {
    readonly steps: HistogramSummary;
    /** Sums of an episode's rewards, by agent. */
    readonly returns: Readonly<Record<string, HistogramSummary>>;
  };
}

/** Counts the content of a file of episodes. */
export function summarizeEpisodes({ metadata, episodes }: EpisodeDataset): EpisodesSummary {
  const [first] = episodes;
  const agents = first?.agents ?? [];
  const steps = new Histogram(1);
  const returns = agents.map(() => new Histogram(1 / 16));
  let terminated = 0;
  for (const episode of episodes) {
    const length = episode.actions.length;
    steps.add(length);
    returns.forEach((histogram, agent) => {
      let sum = 0;
      for (let step = 0; step < length; step++) sum += episode.rewards[step * agents.length + agent]!;
      histogram.add(sum);
    });
    if (episode.terminations[length - 1] === 1) terminated += 1;
  }
  const { datasetId, author = null, algorithmName = null, description = null, softwareVersion } = metadata;
  const spec = first?.spec ?? null;
  return {
    episodeVersion: EPISODE_VERSION,
    datasetId,
    author,
    algorithmName,
    description,
    softwareVersion,
    environment: spec === null ? null : { id: spec.id, kwargs: spec.kwargs },
    agents,
    observationSpace: metadata.observationSpace,
    actionSpace: metadata.actionSpace,
    hasObservations: first?.observations !== null,
    episodes: episodes.length,
    steps: episodes.reduce((sum, { actions }) => sum + actions.length, 0),
    terminated,
    truncated: episodes.length - terminated,
    histograms: {
      steps: steps.summary(),
      returns: Object.fromEntries(agents.map((agent, index) => [agent, returns[index]!.summary()])),
    },
  };
}
