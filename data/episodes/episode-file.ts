import { basename } from 'node:path';
import { arrowManifestPath } from '../arrow-names.js';
import type { EpisodeDataset } from './episode-columns.js';
import { decodeEpisodes } from './episode-decoding.js';
import { encodeEpisodes } from './episode-encoding.js';
import { type Manifest, readListedFile, readManifest, writeWithManifest } from '../files/manifest.js';

// Public since version 1.0.0.
export { arrowManifestPath as episodeManifestPath } from '../arrow-names.js';

/** Kind of the manifest of a file of episodes. */
export const EPISODES_KIND = 'episodes';

/**
 * Writes episodes, such as those of `recordEpisodes`, to an Arrow file, and then its manifest, whose `details` have the
 * counts.
 *
 * ```ts
 * const episodes: RecordedEpisode[] = [];
 * const env = recordEpisodes(make('gess/Quess'), { write: (episode) => episodes.push(episode) });
 * // … play …
 * const { observationSpace, actionSpace } = …;
 * await writeEpisodes('quess.arrow', { metadata: { datasetId: 'gess/quess/random-v0', … }, episodes });
 * ```
 *
 * @param path ends in `.arrow`; the folder must exist.
 * @throws DataError `episode-content`, `disk-full`, `write-failed`; SpaceError `sample-outside`, `space-kind`.
 */
export async function writeEpisodes(path: string, dataset: EpisodeDataset): Promise<Manifest> {
  const bytes = encodeEpisodes(dataset);
  const { metadata, episodes } = dataset;
  const { datasetId, softwareVersion, author = null, algorithmName = null } = metadata;
  const details = {
    datasetId,
    author,
    algorithmName,
    environment: episodes[0]!.spec?.id ?? null,
    episodes: episodes.length,
    steps: episodes.reduce((steps, { actions }) => steps + actions.length, 0),
    softwareVersion,
  };
  const contents = new Map([[basename(path), bytes]]);
  return writeWithManifest(arrowManifestPath(path), contents, { kind: EPISODES_KIND, details });
}

/**
 * Reads episodes and checks them against their manifest.
 *
 * @throws DataError as `readManifest` and `readListedFile`; `episode-format`, `episode-too-new`.
 */
export async function readEpisodes(path: string): Promise<EpisodeDataset> {
  const manifest = await readManifest(arrowManifestPath(path), EPISODES_KIND);
  return decodeEpisodes(path, await readListedFile(manifest, path));
}
