import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { decodeShard } from '../../../data/shards/shard-decoding.js';
import { encodeShard } from '../../../data/shards/shard-encoding.js';
import { createGame } from '../../../env/games.js';
import { SelfPlayConfig } from '../../../training/config/self-play-config.js';
import { openModelFile, openPortableModel } from '../../../training/export/model-file.js';
import { judgeShard } from '../../../training/self-play/shard-judgement.js';
import { planShards } from '../../../training/self-play/shard-job.js';
import { playShard } from '../../../training/self-play/shard-play.js';
import { ownIdentity } from '../../../training/workers/pool/wire/worker-identity.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const GAME = { id: 'connect-four', rules: 'default' };
const MODELS = join(import.meta.dirname, '../../../models/connect-four');

test.each(['model-legal.onnx', 'model-legal-int8.onnx'])(
  'games of %s are judged with WebAssembly',
  { timeout: 60_000 },
  async (name) => {
    const config = SelfPlayConfig.parse({ search: { simulations: 16 } });
    const [job] = await planShards({
      folder: temporaryFolder(),
      game: GAME,
      source: { kind: 'network', modelPath: join(MODELS, name), config },
      ...{ seed: 4, generation: 1, firstGame: 10, games: 4, gamesPerShard: 4 },
      softwareVersion: ownIdentity(1).version,
    });
    const { games } = await playShard(job!);
    const shard = {
      job: job!,
      file: job!.path,
      games,
      replayed: [10, 11, 12, 13],
      kernels: 'other' as const,
    };
    expect(await judgeShard(shard)).toBeNull();

    const { metadata, columns } = decodeShard(job!.path, readFileSync(job!.path));
    columns.rootValues.fill(0.9);
    const file = join(temporaryFolder(), 'altered.arrow');
    writeFileSync(file, encodeShard(columns, metadata));
    expect(await judgeShard({ ...shard, file })).toContain('positions differ when they are searched again');
  },
);

test('a network has nearly the same outputs in WebAssembly', async () => {
  const game = createGame(GAME.id, GAME.rules);
  const outputs = [];
  for (const open of [openModelFile, openPortableModel]) {
    const evaluator = await NetworkEvaluator.create(game, await open(join(MODELS, 'model-legal.onnx'), game));
    const batch = new EvaluationBatch(game, 1, evaluator.readsInputs);
    batch.add(game, game.initialState());
    await evaluator.evaluate(batch);
    outputs.push([...batch.priors.slice(0, batch.start[1]), ...batch.outcomes.slice(0, 3)]);
    await evaluator.dispose();
  }
  const [native, portable] = outputs as [number[], number[]];
  native.forEach((value, index) => {
    expect(portable[index]).toBeCloseTo(value, 4);
  });
});
