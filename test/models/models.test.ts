import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgent } from '../../agents/create-agent.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { measureAccuracy } from '../../training/matches/move-accuracy.js';
import { readSolvedPositions } from '../../training/matches/solved-positions.js';
import { openModelFile } from '../../training/export/model-file.js';
import { verify } from '../../training/run/run-verification.js';

const MODELS = join(import.meta.dirname, '..', '..', 'models');
const NAMES = readdirSync(MODELS, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const MEGABYTE = 1e6;

test('the index of models/ lists all of them', () => {
  const index = readFileSync(join(MODELS, 'README.md'), 'utf8');
  expect(NAMES.length).toBeGreaterThan(0);
  for (const name of NAMES) expect(index).toContain(`[${name}](${name}/)`);
});

test.each(NAMES)('%s has a card and curves, is small, and moves by the rules', async (name) => {
  const folder = join(MODELS, name);
  const card = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(card).toContain('npx gess train --preset');
  expect(readFileSync(join(folder, 'learning-curves.svg'), 'utf8')).toMatch(/^<svg /);
  for (const file of ['weights.bin', 'model.onnx']) {
    expect(statSync(join(folder, file)).size).toBeLessThan(4 * MEGABYTE);
  }
  const spec = JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')) as { game: string; rules: string };
  const game = createGame(spec.game, spec.rules);
  // Checks the file against the spec, too.
  const path = join(folder, 'model.onnx');
  const agent = await createAgent(`mcts:model=${path},simulations=8`, game, openModelFile);
  const state = game.initialState();
  const rng = createRng(1, 'models');
  for (let ply = 0; ply < 6; ply++) {
    const [choice] = await agent.chooseAll([{ state, rng }]);
    expect(game.isLegal(state, choice!.action)).toBe(true);
    game.apply(state, choice!.action);
  }
  await agent.dispose();
});

test('the network of Connect Four finds a best move in nine of ten positions of its own games', async () => {
  const folder = join(MODELS, 'connect-four');
  const game = createGame('connect-four');
  const positions = await readSolvedPositions(join(folder, 'solved-positions.jsonl'), game);
  expect(positions).toHaveLength(500);
  const agent = await createAgent(`policy:model=${join(folder, 'model.onnx')}`, game, openModelFile);
  const { best, decisive } = await measureAccuracy(agent, positions, 1);
  await agent.dispose();
  // Skips positions in which every move is best.
  expect(decisive).toBeGreaterThan(250);
  expect(best / positions.length).toBeGreaterThanOrEqual(0.9);
});

test('all files of models/ are intact, including checkpoints', async () => {
  const { problems, files } = await verify(MODELS, { deep: false });
  expect(problems).toEqual([]);
  expect(files).toBeGreaterThan(10);
});
