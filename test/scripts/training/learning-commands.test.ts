import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSealed, sealJson } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { networkForPlay } from '../../../training/checkpoints/checkpoint.js';
import { readCheckpoint, readInt8Model } from '../../../training/checkpoints/checkpoint-folder.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { writeCarefulShard } from '../../training/network/network-fixtures.js';
import { runGess, runGessJson } from '../captured-output.js';

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
const CONFIG = {
  game: { id: 'connect-four' },
  network: { channels: 8, blocks: 1, valueHidden: 8 },
  learner: { batchSize: 32 },
  replay: { validationShare: 0.2 },
};

async function workplace(): Promise<{ folder: string; data: string; config: string }> {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const config = join(folder, 'config.json');
  mkdirSync(data);
  await writeCarefulShard(createGame('connect-four'), data, 20);
  writeFileSync(config, JSON.stringify(CONFIG));
  return { folder, data, config };
}

/** `gess learn` of one step on `data`, with further words. */
function oneStepOn(data: string): (...words: string[]) => Promise<unknown> {
  return (...words) =>
    runGess('learn', '--data', data, '--steps', '1', '--set', 'learner.batchSize=32', ...words);
}

test('learn makes a checkpoint and continues from it; export writes it', async () => {
  const { folder, data, config } = await workplace();
  const [first, second, model] = ['first', 'second', 'model'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const learn = (...words: string[]): Promise<unknown> =>
    runGessJson('learn', '--data', data, '--config', config, ...words);
  expect(await learn('--out', first, '--steps', '3')).toMatchObject({
    checkpoint: first,
    generation: 1,
    steps: 3,
    samples: 96,
    training: { policyLoss: expect.any(Number) as number },
    validation: { valueLoss: expect.any(Number) as number },
  });
  expect(await learn('--out', second, '--from', first, '--steps', '2')).toMatchObject({
    generation: 2,
    optimizerSteps: 5,
  });
  const { results } = await runGess('export', '--checkpoint', second, '--out', model);
  expect(results.join('\n')).toContain('greatest difference from the trainer on 100 positions');
  const spec = JSON.parse(readFileSync(join(model, 'spec.json'), 'utf8')) as object;
  expect(spec).toMatchObject({ game: 'connect-four', generation: 2 });
});

test.each<[string, Uint8Array]>([
  ['expected UTF-8, found other bytes on line 2', Buffer.from('# Strength\ncaf\xe9', 'latin1')],
  ["found '\\u001b' on line 3", Buffer.from('# Strength\r\n\n\x1b[2J')],
  ["found '\\u0000' on line 1", Buffer.from('\0')],
  ["found '\\r' on line 1", Buffer.from('seen\rhidden')],
])('export refuses notes that a terminal cannot show as they are: %s', async (problem, notes) => {
  const folder = temporaryFolder();
  const [path, out] = [join(folder, 'notes.md'), join(folder, 'model')];
  writeFileSync(path, notes);
  const words = ['--checkpoint', 'connect-four', '--notes', path, '--out', out];
  await expect(runGess('export', ...words)).rejects.toMatchObject({
    code: 'file-encoding',
    message: expect.stringContaining(`${problem} of ${path}`) as string,
  });
  expect(existsSync(out)).toBe(false);
});

test('average makes the mean of the weights that play', async () => {
  const { folder, data, config } = await workplace();
  const at = (name: string): string => join(folder, name);
  for (const [name, seed] of [
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
  ] as const)
    await runGess(
      'learn',
      '--data',
      data,
      '--config',
      config,
      '--seed',
      seed,
      '--steps',
      '2',
      '--out',
      at(name),
    );
  const names = ['a', 'b', 'c'] as const;
  expect(await runGessJson('average', ...names.map(at), '--out', at('mean'))).toEqual({
    checkpoint: at('mean'),
    generation: 1,
    checkpoints: 3,
    alignedUnits: null,
  });
  const weightsOf = async (name: string): Promise<Float32Array> =>
    networkForPlay(await readCheckpoint(at(name))).weights;
  const [a, b, c] = [await weightsOf('a'), await weightsOf('b'), await weightsOf('c')];
  expect(await weightsOf('mean')).toEqual(a.map((weight, index) => (weight + b[index]! + c[index]!) / 3));
  expect(await readInt8Model(at('mean'))).toBeDefined();
  for (const [other, code, message] of [
    [
      join(FIXTURES, 'checkpoint'),
      'checkpoint-network',
      /^expected a network of .*"channels":8.*"channels":4/,
    ],
    ['models/gess/checkpoint', 'checkpoint-game', /^expected a checkpoint of connect-four, .* is of gess, /],
  ] as const)
    await expect(runGess('average', at('a'), other, '--out', at('none'))).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
  await expect(
    runGess('average', at('a'), at('b'), '--data', data, '--out', at('none')),
  ).rejects.toMatchObject({
    code: 'window-empty',
    message: expect.stringMatching(/^expected 512 positions or more .*, found \d+$/) as string,
  });
  expect(existsSync(at('none'))).toBe(false);
});

test.each([
  ['generation', 2 ** 52],
  ['optimizerSteps', 2 ** 52],
] as const)('learn refuses a checkpoint whose %s leaves no room for the next one', async (key, count) => {
  const { folder, data } = await workplace();
  const [forged, out] = [join(folder, 'forged'), join(folder, 'out')];
  cpSync(join(FIXTURES, 'checkpoint'), forged, { recursive: true });
  const manifest = join(forged, 'manifest.json');
  const { value } = openSealed(readFileSync(manifest, 'utf8'), 'file');
  const { details } = value as { readonly details: Record<string, unknown> };
  details[key] = count;
  writeFileSync(manifest, sealJson(value, 'file'));
  await expect(oneStepOn(data)('--from', forged, '--out', out)).rejects.toMatchObject({
    code: 'checkpoint-damaged',
    message: expect.stringMatching(/in the checkpoint to learn from, got 4503599627370496$/) as string,
  });
  expect(existsSync(out)).toBe(false);
});

test('equal commands make equal checkpoints', async () => {
  const { folder, data, config } = await workplace();
  const outs = ['a', 'b'].map((name) => join(folder, name));
  for (const out of outs) {
    await runGess('learn', '--data', data, '--config', config, '--out', out, '--steps', '2', '--seed', '7');
  }
  const [a, b] = outs.map((out) => readFileSync(join(out, 'manifest.json'), 'utf8'));
  expect(b).toBe(a);
});

test('a folder of shards, its parent folder and a shard make the same checkpoint, unfinished shards left out', async () => {
  const { folder, config } = await workplace();
  const inner = join(folder, 'nested', 'gen-000001');
  mkdirSync(inner, { recursive: true });
  const shard = await writeCarefulShard(createGame('connect-four'), inner, 20);
  // A process may be writing it.
  const unfinished = join(inner, 'shard-000001.arrow');
  writeFileSync(unfinished, '');
  const note = `gess: left out ${unfinished}, which is unfinished without shard-000001.json`;
  const manifests: string[] = [];
  for (const [index, data] of [inner, join(folder, 'nested'), shard].entries()) {
    const out = join(folder, `of-${index}`);
    const words = ['--config', config, '--out', out, '--steps', '1', '--seed', '7'];
    const { messages } = await runGess('learn', '--data', data, ...words);
    expect(messages.includes(note)).toBe(data !== shard);
    manifests.push(readFileSync(join(out, 'manifest.json'), 'utf8'));
  }
  expect(manifests[1]).toBe(manifests[0]);
  expect(manifests[2]).toBe(manifests[0]);
});

test('rejects duplicate games and folders without shards', async () => {
  const { folder, data, config } = await workplace();
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const learn = (...paths: string[]): Promise<unknown> =>
    runGess('learn', '--data', ...paths, '--config', config, '--out', join(folder, 'out'));
  await expect(learn(data, data)).rejects.toMatchObject({ code: 'dataset-duplicate' });
  await expect(learn(data, join(data, 'shard-000000.arrow'))).rejects.toMatchObject({
    code: 'dataset-duplicate',
  });
  await expect(learn(data, empty)).rejects.toMatchObject({ code: 'dataset-empty' });
  expect(existsSync(join(folder, 'out'))).toBe(false);
});

test('rejects a checkpoint of another game or network than named', async () => {
  const { folder, data, config } = await workplace();
  const [from, refused] = [join(folder, 'from'), join(folder, 'refused')];
  const learn = oneStepOn(data);
  await learn('--config', config, '--out', from);
  for (const [code, ...words] of [
    ['checkpoint-network', '--set', 'network.channels=1'],
    ['checkpoint-network', '--set', 'network={"rings":true}'],
    ['checkpoint-network', '--set', 'network.policyAttention=4'],
    ['checkpoint-network', '--preset', 'connect-four'],
    ['checkpoint-game', '--set', 'game.id=quess'],
    ['checkpoint-game', '--preset', 'quess'],
  ] as const) {
    await expect(learn('--from', from, '--out', refused, ...words)).rejects.toMatchObject({ code });
    expect(existsSync(refused)).toBe(false);
  }
  const { network } = await readCheckpoint(from);
  for (const [index, words] of [
    [],
    ['--set', 'network.blocks=1', '--set', 'game.id=connect-four'],
    ['--config', config],
  ].entries()) {
    const out = join(folder, `kept-${index}`);
    await learn('--from', from, '--out', out, ...words);
    expect((await readCheckpoint(out)).network.shape).toEqual(network.shape);
  }
});

test('grows a network with fewer channels and blocks than named, and refuses one with more', async () => {
  const { folder, data, config } = await workplace();
  const [from, grown] = [join(folder, 'from'), join(folder, 'grown')];
  const learn = oneStepOn(data);
  await learn('--config', config, '--out', from);
  await learn('--from', from, '--out', grown, '--set', 'network.blocks=3', '--set', 'network.channels=9');
  const [before, after] = [await readCheckpoint(from), await readCheckpoint(grown)];
  expect(before.network.shape.config.blocks).toBe(1);
  expect(after.network.shape.config).toEqual({ ...before.network.shape.config, channels: 9, blocks: 3 });
  // Nothing reads the new channel before the first step, so its own inputs learn from the second step on.
  const ofFormerChannels = after.network.parameters
    .get('block3_second/kernel')!
    .filter((_weight, index) => index % 9 < 8);
  expect(ofFormerChannels.every((weight) => weight !== 0)).toBe(true);
  for (const smaller of ['network.blocks=2', 'network.channels=8']) {
    await expect(
      learn('--from', grown, '--out', join(folder, 'out'), '--set', smaller),
    ).rejects.toMatchObject({ code: 'checkpoint-network' });
  }
});

test('keeps the batch of a loss that is not finite beside the checkpoint, and never overwrites it', async () => {
  const { folder, data, config } = await workplace();
  const out = join(folder, 'deep', 'out');
  const wild = ['--set', 'learner.learningRate=10', '--set', 'learner.weightDecay=10', '--steps', '90'];
  for (let count = 1; count <= 2; count++) {
    await expect(
      runGess('learn', '--data', data, '--config', config, '--out', out, ...wild),
    ).rejects.toMatchObject({
      code: 'loss-not-finite',
      message: expect.stringContaining(join(folder, 'deep', 'loss-not-finite-step-')) as string,
    });
    expect(readdirSync(join(folder, 'deep'))).toHaveLength(count);
  }
  const [first, second] = readdirSync(join(folder, 'deep')).sort();
  const step = /^loss-not-finite-step-(\d+)-2\.json$/.exec(first!)![1];
  expect(second).toBe(`loss-not-finite-step-${step!}.json`);
});

test.each([
  ['a missing folder of shards', 'file-missing', ['--data', 'no-such-folder']],
  ['a missing checkpoint', 'manifest-missing', ['--from', 'no-such-folder']],
  ['shards of another game', 'shard-game', ['--config', '']],
])('%s', async (_name, code, words) => {
  const { folder, data, config } = await workplace();
  const gess = join(folder, 'gess.json');
  writeFileSync(gess, '{}');
  const base = ['--data', data, '--config', config, '--out', join(folder, 'out')];
  const replaced = words[0] === '--data' ? base.slice(2) : base;
  const changes = words.map((word) => (word === '' ? gess : word));
  await expect(runGess('learn', ...replaced, ...changes)).rejects.toMatchObject({ code });
});

test('a network with planes of moves learns, plays and is exported; the planes cannot be added later', async () => {
  const folder = temporaryFolder();
  const [data, plain, seeing, model] = ['data', 'plain', 'seeing', 'model'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  mkdirSync(data);
  await writeCarefulShard(createGame('gess'), data, 6);
  const small = ['--game', 'gess', '--set', 'network.channels=4', '--set', 'network.blocks=1'];
  const learn = oneStepOn(data);
  await learn(...small, '--out', plain);
  await learn(...small, '--set', 'network.movePlanes=true', '--out', seeing);
  const { game, network } = await readCheckpoint(seeing);
  expect([game.observationShape, network.shape.observation]).toEqual([
    [20, 20, 24],
    [20, 20, 24],
  ]);
  await runGess('export', '--checkpoint', seeing, '--out', model);
  await runGess('export', '--verify', model);
  const spec = JSON.parse(readFileSync(join(model, 'spec.json'), 'utf8')) as {
    readonly observation: { readonly planes: readonly object[] };
  };
  expect(spec.observation.planes).toHaveLength(24);
  const agents = [model, seeing, plain].map((path) => `mcts:model=${path},simulations=2`);
  for (const agent of agents) {
    const { results } = await runGess('evaluate', '--agent', agent, '--opponent', 'random', '--games', '2');
    expect(results[0]).toMatch(/won/);
  }
  const more = ['--from', plain, '--set', 'network.movePlanes=true', '--out', join(folder, 'out')];
  await expect(learn(...more)).rejects.toMatchObject({ code: 'checkpoint-network' });
});

test('planes of moves are refused in a game without them', async () => {
  const { folder, data } = await workplace();
  const words = ['--game', 'connect-four', '--set', 'network.movePlanes=true', '--out', join(folder, 'out')];
  await expect(oneStepOn(data)(...words)).rejects.toThrow(
    'network.movePlanes=true: connect-four has no planes of moves, at network.movePlanes',
  );
});
