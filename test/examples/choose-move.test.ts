import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { isLong } from '../long-tests.js';
import { readTestVectors } from '../../training/export/vectors/test-vectors.js';
import { needPackages, root, runPython } from '../python.js';
import { runGessJson } from '../scripts/captured-output.js';
import { LAUNCHER } from '../scripts/usage/launcher.js';
import { builtModule } from '../package/built-module.js';

const run = promisify(execFile);
const MODELS = ['gess', 'quess', 'connect-four'];
const PROGRAMS = ['examples/choose-move.ts', 'python/examples/choose_move.py'];

// The first command compiles what has changed.
beforeAll(() => run(process.execPath, [LAUNCHER, '--version']), 120_000);

/** The moves that lead to the 20 positions of a model's test vectors; to the first two without LONG_TESTS=1. */
async function gamesOf(model: string): Promise<readonly string[]> {
  const { positions } = await readTestVectors(join(root, 'models', model, 'test-vectors.json'));
  expect(positions).toHaveLength(20);
  return positions.slice(0, isLong ? 20 : 2).map(({ moves }) => moves);
}

/** The moves that `gess analyze` chooses by the policy alone. */
async function analyzed(model: string, games: readonly string[]): Promise<readonly string[]> {
  const choices: string[] = [];
  for (const moves of games) {
    const words = ['--game', model, '--agent', `policy:model=${model}`, '--moves', moves];
    choices.push(((await runGessJson('analyze', ...words)) as { readonly move: string }).move);
  }
  return choices;
}

function linesOf(output: string): readonly string[] {
  return output.trimEnd().split('\n');
}

describe('programs that choose a move from a model play as gess analyze:', { timeout: 120_000 }, () => {
  test.each(isLong ? MODELS : MODELS.slice(0, 1))('in TypeScript, %s', async (model) => {
    const games = await gamesOf(model);
    const program = builtModule('examples/choose-move.js');
    const { stdout } = await run(process.execPath, [program, join(root, 'models', model), ...games]);
    expect(linesOf(stdout)).toEqual(await analyzed(model, games));
  });

  test('in TypeScript without a game: the first move', async () => {
    const program = builtModule('examples/choose-move.js');
    const { stdout } = await run(process.execPath, [program, join(root, 'models', 'connect-four')]);
    expect(linesOf(stdout)).toEqual(await analyzed('connect-four', ['']));
  });

  test('in Python, gess', async (context) => {
    await needPackages(context, 'python/requirements-models.txt', ['numpy', 'onnxruntime']);
    const games = await gamesOf('gess');
    const program = join(root, 'python', 'examples', 'choose_move.py');
    const output = await runPython([program, join(root, 'models', 'gess'), ...games]);
    expect(linesOf(output)).toEqual(await analyzed('gess', games));
  });
});

test.each(PROGRAMS)('%s has at most 60 lines, and docs/how-to/use-a-model.md shows it', (path) => {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  expect(readFileSync(join(root, 'docs', 'how-to', 'use-a-model.md'), 'utf8')).toContain(text);
});
