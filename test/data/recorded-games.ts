import type { EpisodeDataset } from '../../data/episodes/episode-columns.js';
import { make } from '../../env/environments/make.js';
import { recordEpisodes, type RecordedEpisode } from '../../env/environments/wrappers/record-episodes.js';
import { createRng } from '../../env/random.js';

/** Metadata of episodes without their spaces. */
export const EPISODE_WORDS = {
  datasetId: 'gess/connect-four/random-v0',
  author: 'somebody',
  authorEmail: 'somebody@example.com',
  algorithmName: 'random',
  description: 'Episodes of a test.',
  softwareVersion: '0.0.0',
};

/** Random games of Connect Four for agents in turn, as they are recorded. */
export function recordedGames(observations: boolean): EpisodeDataset {
  const episodes: RecordedEpisode[] = [];
  const env = recordEpisodes(
    make('gess/ConnectFour'),
    { write: (episode: RecordedEpisode): number => episodes.push(episode) },
    { observations },
  );
  const rng = createRng(1, 'episodes');
  for (const options of [{ seed: 2 ** 53 - 1 }, { moves: '3 3' }, {}]) {
    env.reset(options);
    while (env.agents.length > 0) {
      const { info, terminated, truncated } = env.last();
      const { legalActions } = info;
      env.step(terminated || truncated ? null : legalActions[rng.integer(legalActions.length)]!);
    }
  }
  env.close();
  const { possibleAgents } = env;
  const agent = possibleAgents[0]!;
  const metadata = {
    ...EPISODE_WORDS,
    observationSpace: env.observationSpace(agent),
    actionSpace: env.actionSpace(agent),
  };
  return { metadata, episodes };
}
