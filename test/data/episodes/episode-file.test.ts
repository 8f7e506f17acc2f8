import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordBatch, Schema, Table, tableFromIPC, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EpisodeDataset } from '../../../data/episodes/episode-columns.js';
import { decodeEpisodes } from '../../../data/episodes/episode-decoding.js';
import { encodeEpisodes } from '../../../data/episodes/episode-encoding.js';
import { readEpisodes, writeEpisodes } from '../../../data/episodes/episode-file.js';
import { arrowManifestPath } from '../../../data/arrow-names.js';
import type { DatasetMetadata } from '../../../data/episodes/episode-metadata.js';
import { writeWithManifest } from '../../../data/files/manifest.js';
import { make, makeFromSpec, readEnvSpec } from '../../../env/environments/make.js';
import type { RecordedEpisode } from '../../../env/environments/wrappers/record-episodes.js';
import { createRng } from '../../../env/random.js';
import { Discrete } from '../../../env/spaces/discrete.js';
import { anySpace } from '../../env/spaces/any-space.js';
import { EPISODE_WORDS, recordedGames } from '../recorded-games.js';
import { temporaryFolder } from '../temporary-folder.js';

/** A dataset in comparable form: spaces as text. */
function comparable({ metadata, episodes }: EpisodeDataset): unknown {
  const { observationSpace, actionSpace, ...words } = metadata;
  return { spaces: [observationSpace, actionSpace].map(String), words, episodes };
}

/** An episode of any numbers, with observations of any space. */
const anyDataset = fc
  .tuple(anySpace, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }), fc.nat())
  .map(([observationSpace, lengths, seed]): EpisodeDataset => {
    const rng = createRng(seed);
    const episodes = lengths.map((steps, id): RecordedEpisode => ({
      id,
      seed: rng.integer(2) === 0 ? null : rng.integer(1000),
      position: rng.integer(2) === 0 ? null : 'a position',
      moves: rng.integer(2) === 0 ? null : 'ä1 b2',
      spec: null,
      agents: ['one', 'two'],
      actors: Uint8Array.from({ length: steps }, () => rng.integer(2)),
      observations: Array.from({ length: steps + 1 }, () => observationSpace.sample(rng)),
      actions: Int32Array.from({ length: steps }, () => rng.integer(1000)),
      seconds: Float64Array.from({ length: steps }, () => rng.float()),
      rewards: Float64Array.from({ length: 2 * steps }, () => rng.float()),
      terminations: Uint8Array.from({ length: steps }, () => rng.integer(2)),
      truncations: Uint8Array.from({ length: steps }, () => rng.integer(2)),
    }));
    return { metadata: { ...EPISODE_WORDS, observationSpace, actionSpace: new Discrete(1000) }, episodes };
  });

describe('encoding', () => {
  test('returns every episode and the metadata, with equal bytes', () => {
    fc.assert(
      fc.property(anyDataset, (dataset) => {
        const bytes = encodeEpisodes(dataset);
        const read = decodeEpisodes('a file', bytes);
        expect(comparable(read)).toEqual(comparable(dataset));
        expect(Buffer.compare(encodeEpisodes(read), bytes)).toBe(0);
      }),
    );
  });
});

describe('a file of episodes', () => {
  test.each([true, false])('is read back; with observations: %s', async (observations) => {
    const dataset = recordedGames(observations);
    expect(dataset.episodes).toHaveLength(3);
    const path = join(temporaryFolder(), 'games.arrow');
    const manifest = await writeEpisodes(path, dataset);
    expect(manifest.details).toMatchObject({
      datasetId: EPISODE_WORDS.datasetId,
      author: 'somebody',
      environment: 'gess/ConnectFour-v0',
      episodes: 3,
    });
    expect(comparable(await readEpisodes(path))).toEqual(comparable(dataset));
  });

  test('has documented columns and metadata for any reader of Arrow', async () => {
    const path = join(temporaryFolder(), 'games.arrow');
    await writeEpisodes(path, recordedGames(true));
    const { schema, numRows } = tableFromIPC(await readFile(path));
    expect(numRows).toBe(3);
    expect(schema.fields.map(({ name, type }) => `${name}: ${String(type)}`)).toEqual([
      'id: Uint32',
      'seed: Uint64',
      'position: Utf8',
      'moves: Utf8',
      'actors: List<Uint8>',
      'actions: List<Int32>',
      'seconds: List<Float64>',
      'rewards: List<Float64>',
      'terminations: List<Bool>',
      'truncations: List<Bool>',
      'observations.actionMask: List<Bool>',
      'observations.observation: List<Float32>',
    ]);
    expect([...schema.metadata.keys()]).toEqual([
      'episodeVersion',
      'datasetId',
      'author',
      'authorEmail',
      'algorithmName',
      'description',
      'envSpec',
      'agents',
      'observationSpace',
      'actionSpace',
      'totalEpisodes',
      'totalSteps',
      'softwareVersion',
    ]);
  });

  test('reproduces its environment, in which its actions replay its episodes', async () => {
    const path = join(temporaryFolder(), 'games.arrow');
    await writeEpisodes(path, recordedGames(true));
    const { episodes } = await readEpisodes(path);
    for (const { spec, seed, position, moves, actions, rewards, observations } of episodes) {
      const env = makeFromSpec(readEnvSpec(spec)) as ReturnType<typeof make>;
      const plain = make('gess/ConnectFour');
      plain.reset({
        ...(seed !== null && { seed }),
        ...(position !== null && { position }),
        ...(moves !== null && { moves }),
      });
      for (const [step, action] of actions.entries()) {
        expect(plain.last().observation).toEqual(observations![step]);
        plain.step(action);
        const earned = plain.possibleAgents.map((agent) => plain.rewards[agent]);
        expect(earned).toEqual([...rewards.slice(2 * step, 2 * step + 2)]);
      }
      expect(env.spec).toEqual(spec);
    }
  });

  test('is rejected if it is damaged or of another kind', async () => {
    const path = join(temporaryFolder(), 'games.arrow');
    const dataset = recordedGames(false);
    await writeEpisodes(path, dataset);
    const bytes = await readFile(path);
    bytes[100]! ^= 1;
    await writeFile(path, bytes);
    await expect(readEpisodes(path)).rejects.toMatchObject({ code: 'file-altered' });
    const write = (content: string | Uint8Array): Promise<unknown> =>
      writeWithManifest(arrowManifestPath(path), new Map([['games.arrow', content]]), {
        kind: 'episodes',
        details: {},
      });
    await write('no Arrow file');
    await expect(readEpisodes(path)).rejects.toMatchObject({ code: 'episode-format' });
    await expect(readEpisodes(join(temporaryFolder(), 'none.arrow'))).rejects.toMatchObject({
      code: 'manifest-missing',
    });
  });

  test('has episodes of one environment only', () => {
    const { metadata, episodes } = recordedGames(true);
    const [first, second] = episodes as [RecordedEpisode, RecordedEpisode];
    const refused = (list: readonly RecordedEpisode[], changes: Partial<DatasetMetadata> = {}): void => {
      const encode = (): unknown => encodeEpisodes({ metadata: { ...metadata, ...changes }, episodes: list });
      expect(encode).toThrow(expect.objectContaining({ code: 'episode-content' }));
    };
    refused([]);
    refused([first, { ...second, agents: ['other', 'names'] }]);
    refused([first, { ...second, spec: null }]);
    refused([first, { ...second, observations: null }]);
    refused([{ ...first, observations: first.observations!.slice(1) }]);
    refused([first], { datasetId: 'no version' });
    for (const reward of [Infinity, NaN, -1e308]) {
      refused([{ ...first, rewards: Float64Array.from(first.rewards, () => reward) }]);
    }
    const outside = { ...first, observations: first.observations!.map(() => 0) };
    expect(() => encodeEpisodes({ metadata, episodes: [outside] })).toThrow(
      expect.objectContaining({ code: 'sample-outside' }),
    );
  });

  test('is rejected if a reward is not finite', () => {
    const dataset = recordedGames(false);
    const [first] = dataset.episodes;
    const marked = { ...first!, rewards: Float64Array.from(first!.rewards, () => 1234.5) };
    const bytes = Buffer.from(encodeEpisodes({ ...dataset, episodes: [marked] }));
    const mark = Buffer.from(Float64Array.of(1234.5).buffer);
    bytes.set(Buffer.from(Float64Array.of(Infinity).buffer), bytes.indexOf(mark));
    expect(() => decodeEpisodes('a file', bytes)).toThrow(
      expect.objectContaining({
        code: 'episode-format',
        message: expect.stringContaining('Infinity') as string,
      }),
    );
  });

  test('is rejected if its version is newer', () => {
    const [batch] = tableFromIPC(encodeEpisodes(recordedGames(false))).batches;
    const { fields, metadata } = batch!.schema;
    const schema = new Schema(fields, new Map([...metadata, ['episodeVersion', '2']]));
    const newer = tableToIPC(new Table(schema, [new RecordBatch(schema, batch!.data)]), 'file');
    expect(() => decodeEpisodes('a file', newer)).toThrow(
      expect.objectContaining({ code: 'episode-too-new' }),
    );
  });
});
