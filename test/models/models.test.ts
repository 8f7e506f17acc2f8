import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgent } from '../../agents/create-agent.js';
import { createGame } from '../../env/games.js';
import { createRng } from '../../env/random.js';
import { measureAccuracy } from '../../training/matches/move-accuracy.js';
import { readSolvedPositions } from '../../training/matches/solved-positions.js';
import { EXPORT_FILES } from '../../training/export/export-files.js';
import type { ExportProof } from '../../training/export/export-proof.js';
import { notesIn } from '../../training/export/model-card.js';
import { openModelFile } from '../../training/export/model-file.js';
import { temporaryFolder } from '../data/temporary-folder.js';
import { runGess, runGessJson } from '../scripts/captured-output.js';
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
  const bytes = readdirSync(folder).map((file) => statSync(join(folder, file)).size);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(4 * MEGABYTE);
  const spec = JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')) as { game: string; rules: string };
  const game = createGame(spec.game, spec.rules);
  // Also checks the file against its specification.
  const agent = await createAgent(`mcts:model=${name},simulations=8`, game, openModelFile);
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
  const agent = await createAgent('policy:model=connect-four', game, openModelFile);
  const { best, decisive } = await measureAccuracy(agent, positions, 1);
  await agent.dispose();
  // Skips positions in which every move is best.
  expect(decisive).toBeGreaterThan(250);
  expect(best / positions.length).toBeGreaterThanOrEqual(0.9);
});

/** The JSON file of a model, without the numbers that depend on the machine that exported it. */
function contentOf(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'), (key, value: unknown) =>
    ['parity', 'files', 'sha256', 'legalLogits', 'outcome'].includes(key) ? null : value,
  );
}

test.each([
  ['gess', 'gess/checkpoint', 'exploration=0.8,symmetries=2'],
  ['quess', 'quess', undefined],
  ['connect-four', 'connect-four', undefined],
])('%s is what gess export makes of %s', async (name, source, play) => {
  const [folder, out] = [join(MODELS, name), join(temporaryFolder(), name)];
  const words = name === 'gess' ? ['--license', 'MIT', '--notes', join(folder, 'README.md')] : [];
  const options = play === undefined ? words : [...words, '--play', play];
  await runGess('export', '--checkpoint', join(MODELS, source), '--out', out, ...options);
  for (const file of Object.values(EXPORT_FILES)) {
    const [shipped, made] = [join(folder, file), join(out, file)];
    if (file === EXPORT_FILES.card) {
      expect(notesIn(made, readFileSync(made))).toBe(notesIn(shipped, readFileSync(shipped)));
    } else if (file === EXPORT_FILES.spec || file === EXPORT_FILES.vectors) {
      expect(contentOf(made)).toEqual(contentOf(shipped));
    } else expect([file, readFileSync(made).equals(readFileSync(shipped))]).toEqual([file, true]);
  }
});

test.each(NAMES)('gess export --verify runs all models of %s', async (name) => {
  const { models } = (await runGessJson('export', '--verify', join(MODELS, name))) as ExportProof;
  expect(models.map(({ file }) => file)).toEqual([
    EXPORT_FILES.graph,
    EXPORT_FILES.policy,
    EXPORT_FILES.legal,
    EXPORT_FILES.int8,
  ]);
  for (const { difference, tolerance } of models) expect(difference).toBeLessThanOrEqual(tolerance);
});

test('all files of models/ are intact, including checkpoints', async () => {
  const { problems, files } = await verify(MODELS, { deep: false });
  expect(problems).toEqual([]);
  expect(files).toBeGreaterThan(10);
});
