import type { RecordedEpisode } from '../../env/environments/wrappers/record-episodes.js';
import { createBatch, writeSample } from '../../env/spaces/batch.js';
import { createArray, type NumberArray } from '../../env/spaces/dtype.js';
import { assertContains } from '../../env/spaces/space.js';
import { DataError } from '../data-error.js';
import { Field, vectorFromArray } from '../files/arrow-library.js';
import type { ItemType } from '../files/arrow-types.js';
import { type ArrowColumn, encodeArrow, listColumn } from '../files/arrow-writing.js';
import {
  type EpisodeDataset,
  LIST_COLUMNS,
  OBSERVATIONS,
  VALUE_COLUMNS,
  VALUE_TYPES,
} from './episode-columns.js';
import { arrayOfLeaf, leavesOf } from './episode-leaves.js';
import { type EpisodeFacts, formatEpisodeMetadata } from './episode-metadata.js';
import { isReward } from './episode-columns.js';

/** Arrow counts the items of a column's lists by 32-bit integers. */
const MAX_ITEMS = 2 ** 31 - 1;

/** A column of lists: an array for each episode. */
function columnOfLists(name: string, items: ItemType, lists: readonly NumberArray[]): ArrowColumn {
  const offsets = new Int32Array(lists.length + 1);
  let count = 0;
  for (const [row, list] of lists.entries()) {
    count += list.length;
    if (count > MAX_ITEMS) {
      throw new DataError(
        'episode-content',
        `expected at most ${MAX_ITEMS} numbers of ${name} in a file, got more`,
      );
    }
    offsets[row + 1] = count;
  }
  const values = items === 'bit' ? packBits(lists, count) : createArray(items, count);
  if (items !== 'bit')
    lists.forEach((list, row) => {
      values.set(list, offsets[row]);
    });
  return listColumn(name, items, offsets, { values, count });
}

/** Bit `i`, lowest first, of byte `i / 8`. */
function packBits(lists: readonly NumberArray[], count: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(count / 8));
  let at = 0;
  for (const list of lists) {
    for (let index = 0; index < list.length; index++, at++)
      if (list[index] === 1) out[at >> 3]! |= 1 << (at & 7);
  }
  return out;
}

/**
 * The metadata that all episodes share.
 *
 * @throws DataError `episode-content` if there are none, if they differ, or if a reward is not finite.
 */
function factsOf(episodes: readonly RecordedEpisode[]): EpisodeFacts {
  const [first] = episodes;
  if (first === undefined) throw new DataError('episode-content', 'expected at least one episode, got none');
  const { spec, agents } = first;
  const common = JSON.stringify([spec, agents, first.observations === null]);
  for (const { id, ...episode } of episodes) {
    const own = JSON.stringify([episode.spec, episode.agents, episode.observations === null]);
    if (own !== common) {
      const expected = 'episodes with the same spec and agents, all with observations or none';
      throw new DataError('episode-content', `expected ${expected}: ${id} differs from ${first.id}`);
    }
    if (episode.observations !== null && episode.observations.length !== episode.actions.length + 1) {
      const expected = `${episode.actions.length + 1} observations of episode ${id}`;
      throw new DataError('episode-content', `expected ${expected}, got ${episode.observations.length}`);
    }
    const reward = episode.rewards.find((each) => !isReward(each));
    if (reward !== undefined) {
      throw new DataError('episode-content', `expected finite rewards of episode ${id}, got ${reward}`);
    }
  }
  const totalSteps = episodes.reduce((steps, { actions }) => steps + actions.length, 0);
  return { spec, agents, totalEpisodes: episodes.length, totalSteps };
}

function observationColumns({ metadata, episodes }: EpisodeDataset): ArrowColumn[] {
  const space = metadata.observationSpace;
  const batches = episodes.map(({ id, observations }) => {
    const batch = createBatch(space, observations!.length);
    observations!.forEach((observation, index) => {
      assertContains(space, observation, [`episode ${id}`, index]);
      writeSample(space, observation, batch, index);
    });
    return batch;
  });
  return leavesOf(space, OBSERVATIONS).map((leaf) => {
    const lists = batches.map((batch) => arrayOfLeaf(leaf, batch));
    return columnOfLists(leaf.name, leaf.items, lists);
  });
}

function valueColumns(episodes: readonly RecordedEpisode[]): ArrowColumn[] {
  return VALUE_COLUMNS.map(({ name, type, isNullable }) => {
    const values = episodes.map((episode) => {
      return name === 'seed' && episode.seed !== null ? BigInt(episode.seed) : episode[name];
    });
    const arrowType = new VALUE_TYPES[type]();
    return {
      field: new Field(name, arrowType, isNullable),
      data: vectorFromArray(values, arrowType).data[0]!,
    };
  });
}

/**
 * The bytes of an Arrow IPC file with a row for each episode in one record batch, uncompressed. Equal datasets
 * give equal bytes.
 *
 * @throws DataError `episode-content`; SpaceError `sample-outside`, `space-kind` for the observations.
 */
export function encodeEpisodes(dataset: EpisodeDataset): Uint8Array {
  const { metadata, episodes } = dataset;
  const facts = factsOf(episodes);
  const columns = [
    ...valueColumns(episodes),
    ...LIST_COLUMNS.map(({ name, items }) => {
      const lists = episodes.map((episode) => episode[name]);
      return columnOfLists(name, items, lists);
    }),
    ...(episodes[0]!.observations === null ? [] : observationColumns(dataset)),
  ];
  return encodeArrow(columns, episodes.length, formatEpisodeMetadata(metadata, facts));
}
