import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EvaluationBatch } from '../../../../agents/evaluators/evaluator.js';
import { NetworkEvaluator } from '../../../../agents/evaluators/network-evaluator.js';
import { runSearches } from '../../../../agents/mcts/driver.js';
import { Search } from '../../../../agents/mcts/search.js';
import { SearchConfig } from '../../../../agents/search-config.js';
import { readDatasetCard } from '../../../../data/datasets/dataset-card-file.js';
import { listDatasetShards } from '../../../../data/datasets/dataset-folder.js';
import type { Sample } from '../../../../data/shards/sample.js';
import { sampleOf } from '../../../../data/shards/shard-columns.js';
import { readShard } from '../../../../data/shards/shard.js';
import { createGame } from '../../../../env/games.js';
import { createRng } from '../../../../env/random.js';
import { openModelFile } from '../../../../training/export/model-file.js';
import { readTargets } from '../../../../training/play/search-targets.js';
import { FIXTURE_SHARD } from '../../../data/fixture-shard.js';
import { temporaryFolder } from '../../../data/temporary-folder.js';
import { runGess } from '../../../scripts/captured-output.js';

const game = createGame('connect-four');
const MODEL = join(import.meta.dirname, '..', '..', '..', '..', 'models', 'connect-four', 'model-legal.onnx');

async function rowsOf(path: string): Promise<Sample[]> {
  const { columns } = await readShard(path, game);
  return Array.from({ length: columns.rows }, (_, row) => sampleOf(columns, row));
}

test('gess data reanalyze replaces the targets of rows with weight by those of a new search', async () => {
  const out = join(temporaryFolder(), 'new');
  const search = 'root=gumbel,simulations=20';
  const words = ['data', 'reanalyze', FIXTURE_SHARD, '--model', MODEL, '--search', search, '--out', out];
  const { messages } = await runGess(...words);
  const [path] = await listDatasetShards(out);
  const [before, after] = [await rowsOf(FIXTURE_SHARD), await rowsOf(path!)];
  const evaluator = await NetworkEvaluator.create(game, await openModelFile(MODEL, game), { batchSize: 1 });
  let searched = 0;
  for (const [row, sample] of before.entries()) {
    if (sample.searchSize === 0) {
      expect(after[row]).toEqual(sample);
      continue;
    }
    searched += 1;
    const state = game.initialState();
    game.unpack(sample.position, 0, state);
    const config = SearchConfig.parse({ root: 'gumbel', simulations: 20 });
    const alone = new Search(game, { config }, createRng(1));
    alone.begin(state);
    await runSearches([alone], evaluator, new EvaluationBatch(game, 1));
    const targets = readTargets(alone, new Float32Array(game.maxLegalActions));
    const { policy, rootValue, surprise, ...others } = after[row]!;
    expect({ ...sample, ...others, searchSize: 64 }).toEqual(sample);
    expect(others.searchSize).toBe(20);
    // Batches of other sizes round differently.
    expect(rootValue).toBeCloseTo(targets.rootValue, 4);
    expect(surprise).toBeCloseTo(targets.surprise, 3);
    for (const [i, share] of policy.entries()) expect(share).toBeCloseTo(targets.policy[i]!, 4);
  }
  await evaluator.dispose();
  expect(searched).toBeGreaterThan(3);
  const others = before.length - searched;
  expect(messages.at(-1)).toBe(
    `gess data: ${others} of ${before.length} rows are unchanged: they had no search`,
  );
  expect((await readDatasetCard(out))?.madeBy).toMatchObject({ operation: 'reanalyze', options: { search } });
});
