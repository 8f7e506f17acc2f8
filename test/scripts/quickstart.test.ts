import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareGenerations } from '../../scripts/progress/generation-table.js';
import type { EvaluationRecord } from '../../training/run/run-records.js';
import { runGess } from './captured-output.js';

const CONFIG = {
  generations: 1,
  game: { id: 'connect-four' },
  network: { channels: 8, blocks: 1, valueHidden: 16 },
  selfPlay: { games: 4, gamesPerShard: 4, search: { simulations: 8 } },
  learner: { batchSize: 16, maxSteps: 4 },
  evaluation: { every: 1, opponents: ['random'], games: 2, simulations: 4 },
};

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gess-quickstart-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function writeConfig(config: object): string {
  const path = join(folder, 'config.json');
  writeFileSync(path, JSON.stringify(config));
  return path;
}

describe('gess quickstart', () => {
  test(
    'trains, measures and exports; a finished run is shown again; a damaged line of results is named',
    { timeout: 60_000 },
    async () => {
      const config = writeConfig(CONFIG);
      const out = join(folder, 'run');
      const { results } = await runGess('quickstart', '--config', config, '--out', out);
      expect(results.join('\n')).toMatch(/opponent +untrained.*\nrandom .*\ngeneration-0 +- /);
      expect(results.at(-1)).toMatch(/npx gess serve --model \S+\/export$/);
      expect(existsSync(join(out, 'export', 'spec.json'))).toBe(true);
      const metrics = readFileSync(join(out, 'metrics.jsonl'), 'utf8');
      const again = await runGess('quickstart', '--config', config, '--out', out, '--json');
      expect(JSON.parse(again.results[0]!)).toMatchObject({ finished: true, export: join(out, 'export') });
      expect(readFileSync(join(out, 'metrics.jsonl'), 'utf8')).toBe(metrics);

      writeFileSync(join(out, 'evaluations.jsonl'), 'null\n');
      await expect(runGess('train', '--out', out, '--resume')).rejects.toMatchObject({
        code: 'run-damaged',
        message: expect.stringContaining('line 1') as string,
      });
    },
  );

  test('a run that has learnt further generations is exported again', { timeout: 60_000 }, async () => {
    const out = join(folder, 'continued');
    const generationOfExport = (): unknown => {
      const spec = readFileSync(join(out, 'export', 'spec.json'), 'utf8');
      return (JSON.parse(spec) as { generation: unknown }).generation;
    };
    for (const generations of [1, 2]) {
      await runGess('quickstart', '--config', writeConfig({ ...CONFIG, generations }), '--out', out);
      expect(generationOfExport()).toBe(generations);
    }
  });

  test.each([
    ['a game that does not exist', { game: { id: 'go' } }, 'at game'],
    [
      'an agent that does not exist',
      { evaluation: { opponents: ['greedy', 'nobody'] } },
      'evaluation.opponents',
    ],
    ['an unknown key', { learner: { batchsize: 3 } }, 'batchsize'],
  ])('refuses %s before anything is written', async (_what, change, place) => {
    const out = join(folder, 'refused');
    const config = writeConfig({ ...CONFIG, ...change });
    await expect(runGess('train', '--config', config, '--out', out)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(place) as string,
    });
    expect(existsSync(out)).toBe(false);
  });
});

test('the table compares the first and the last generation', () => {
  const match = { draws: 0, games: 4, eloHigh: null } as EvaluationRecord;
  const table = compareGenerations(
    [
      { ...match, generation: 0, key: 'careful', wins: 1, losses: 3, elo: -191, eloLow: null, eloHigh: 10 },
      { ...match, generation: 3, key: 'careful', wins: 4, losses: 0, elo: 338, eloLow: 12 },
      { ...match, generation: 3, key: 'generation-0', wins: 3, losses: 1, elo: 191, eloLow: -10 },
    ],
    3,
  );
  expect(table).toMatchInlineSnapshot(`
    "games won/drawn/lost, Elo [95 %]

    opponent       untrained      generation 3
    careful        1/0/3  < +10   4/0/0  > +12
    generation-0   -              3/0/1  > -10"
  `);
});
