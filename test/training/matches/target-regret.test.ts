import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EvaluationBatch } from '../../../agents/evaluators/evaluator.js';
import { UniformEvaluator } from '../../../agents/evaluators/uniform-evaluator.js';
import { SearchConfig } from '../../../agents/search-config.js';
import { createGame } from '../../../env/games.js';
import { measureRegret, type MeasuredSearch } from '../../../training/matches/target-regret.js';
import { FIXTURE_SHARD } from '../../data/fixture-shard.js';
import { runGess, runGessJson } from '../../scripts/captured-output.js';

const game = createGame('connect-four');

function searchOf(simulations: number): MeasuredSearch {
  const config = SearchConfig.parse({ root: 'gumbel', simulations, decisiveMoves: false });
  return { name: String(simulations), config, gumbelScale: 0 };
}

test('regret is lower with more simulations, and 0 if every search finds the win', async () => {
  const threat = game.initialState();
  for (const column of [3, 0, 3, 0, 3]) game.apply(threat, column);
  const won = game.clone(threat);
  game.apply(won, 1);
  const measure = async (state: unknown): Promise<readonly number[]> => {
    const tools = { evaluator: new UniformEvaluator(), simulations: 100, seed: 1 };
    const regrets = await measureRegret(game, [state], [searchOf(1), searchOf(200)], {
      ...tools,
      batch: new EvaluationBatch(game, 8),
    });
    expect(regrets.map(({ name, positions }) => [name, positions])).toEqual([
      ['1', 1],
      ['200', 1],
    ]);
    const [first, second] = regrets;
    expect(first!.policyDifference).toBe(0);
    expect(second!.policyDifference).toBeCloseTo(second!.policyRegret - first!.policyRegret, 10);
    return regrets.map(({ policyRegret }) => policyRegret);
  };
  expect(await measure(won)).toEqual([0, 0]);
  const [short, long] = await measure(threat);
  // One move of seven stops the threat.
  expect(short).toBeGreaterThan(0.3);
  expect(long).toBeLessThan(short! / 2);
});

test.each(['nodes=9', 'timeMs=5', 'temperature=1', 'leaves=4', 'maxEdges=100000'])(
  'gess regret refuses %s, an option of players only',
  async (option) => {
    const words = ['regret', '--model', 'none', '--data', 'none', '--search'];
    await expect(runGess(...words, `simulations=2,${option}`)).rejects.toMatchObject({
      code: 'agent-option',
      message: expect.stringContaining(`got '${option.split('=')[0]}'`) as string,
    });
  },
);

test('gess regret prints an object per search; settings of a model are refused', async () => {
  const model = join(import.meta.dirname, '..', '..', '..', 'models', 'connect-four', 'model-legal.onnx');
  const words = ['regret', '--game', 'connect-four', '--model', model, '--data', FIXTURE_SHARD];
  const sizes = ['--positions', '3', '--simulations', '8', '--search'];
  const found = await runGessJson(...words, ...sizes, 'root=gumbel,simulations=4,gumbelScale=1');
  expect(found).toMatchObject({ name: 'root=gumbel,simulations=4,gumbelScale=1', positions: 3 });
  await expect(runGess(...words, '--search', `model=${model}`)).rejects.toThrow(
    'expected settings of a search without a model',
  );
});
