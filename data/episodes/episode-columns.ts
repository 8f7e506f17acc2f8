import type { RecordedEpisode } from '../../env/environments/wrappers/record-episodes.js';
import type { ItemType } from '../files/arrow-types.js';
import { Uint32, Uint64, Utf8 } from '../files/arrow-library.js';
import type { DatasetMetadata } from './episode-metadata.js';

/** Episodes and their metadata. */
export interface EpisodeDataset {
  readonly metadata: DatasetMetadata;
  /** 1 or more, of one environment: with equal specs and agents, all with observations or all without. */
  readonly episodes: readonly RecordedEpisode[];
}

/** Arrow types of the columns with one value an episode. */
export const VALUE_TYPES = { Uint32, Uint64, Utf8 } as const;

/** Columns with one value an episode; seeds are `bigint` in the file. */
export const VALUE_COLUMNS = [
  { name: 'id', type: 'Uint32', isNullable: false },
  { name: 'seed', type: 'Uint64', isNullable: true },
  { name: 'position', type: 'Utf8', isNullable: true },
  { name: 'moves', type: 'Utf8', isNullable: true },
] as const satisfies readonly { readonly type: keyof typeof VALUE_TYPES; readonly [key: string]: unknown }[];

/** Columns with a list an episode. */
export const LIST_COLUMNS = [
  { name: 'actors', items: 'uint8' },
  { name: 'actions', items: 'int32' },
  { name: 'seconds', items: 'float64' },
  { name: 'rewards', items: 'float64' },
  { name: 'terminations', items: 'bit' },
  { name: 'truncations', items: 'bit' },
] as const satisfies readonly { readonly name: keyof RecordedEpisode; readonly items: ItemType }[];

/** Name of the column of observations, or prefix of theirs: `observations.actionMask`. */
export const OBSERVATIONS = 'observations';

/** Whether a file can have a reward: finite, and so small that returns are finite, too. */
export function isReward(reward: number): boolean {
  return Math.abs(reward) <= Number.MAX_SAFE_INTEGER;
}
