import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { PRESETS, presetPath } from '../../../scripts/options/config-options.js';
import { readRunConfig } from '../../../training/config/config-file.js';
import { configWithSettings } from '../../../training/config/config-settings.js';
import { settingPaths } from '../../../training/config/setting-paths.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { SettingError } from '../../../training/training-error.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const CONFIGS = join(import.meta.dirname, '..', '..', '..', 'configs');

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

const isValid = new Ajv2020().compile(readJson(join(CONFIGS, 'run.schema.json')) as object);

/** Whether the program accepts a value, apart from checks that a JSON Schema cannot express. */
function isAccepted(value: unknown): boolean {
  const result = RunConfig.safeParse(value);
  return result.success || result.error.issues.every(({ code }) => code === 'custom');
}

describe('configurations that come with the program', () => {
  test('are all files of configs/, are valid and name their schema', () => {
    const files = readdirSync(CONFIGS).filter((name) => name.endsWith('.json') && name !== 'run.schema.json');
    expect(files.sort()).toEqual(PRESETS.map((name) => `${name}.json`).sort());
    for (const name of PRESETS) {
      const value = readJson(presetPath(name));
      expect(value).toMatchObject({ $schema: './run.schema.json' });
      expect([name, isValid(value), isValid.errors]).toEqual([name, true, null]);
      expect(RunConfig.safeParse(value).error).toBeUndefined();
    }
  });
});

describe('the JSON Schema', () => {
  test('accepts what the program accepts', () => {
    const leaves = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        true,
        'none',
        'power',
        'gumbel',
        'bfloat16',
        'quess',
        'chess',
        [],
        {},
        ['careful'],
        [1],
      ),
      fc.constantFrom<unknown>({ kind: 'power' }, { kind: 'none', decay: 0.5 }, { decay: 0.5 }, { typo: 1 }, [
        { step: 3, factor: 0.5 },
      ]),
      fc.integer({ min: -2, max: 600 }),
      fc.double({ min: -2, max: 2, noNaN: true }),
    );
    const counts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(fc.constantFrom(...settingPaths()), leaves, (path, leaf) => {
        const value = path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), leaf);
        const accepted = isAccepted(value);
        counts[accepted ? 'accepted' : 'refused'] += 1;
        expect(isValid(value)).toBe(accepted);
      }),
      { numRuns: isLong ? 500 : 200, seed: 1 },
    );
    // Both outcomes must occur.
    expect(Math.min(counts.accepted, counts.refused)).toBeGreaterThan(20);
  });

  test('refuses unknown settings', () => {
    for (const value of [{ serach: {} }, { learner: { batchsize: 1 } }, [], 'text', { seed: '1' }]) {
      expect([value, isValid(value), isAccepted(value)]).toEqual([value, false, false]);
    }
  });
});

describe('greatest values', () => {
  /** Configurations whose value at `path` is `leaf`, with the variant of each choice that has the setting. */
  function valuesWith(path: string, leaf: unknown): readonly unknown[] {
    const variants = [{}, { root: 'gumbel' }, { kind: 'power' }];
    const [last, ...outer] = path.split('.').reverse();
    return variants.map((variant) =>
      outer.reduce<unknown>((inner, key) => ({ [key]: inner }), { ...variant, [last!]: leaf }),
    );
  }

  test.each([1e15, Number.MAX_SAFE_INTEGER - 1, 1e300])('no setting except the seed accepts %d', (leaf) => {
    const taking = [...settingPaths()].filter((path) =>
      valuesWith(path, leaf).some((value) => isValid(value)),
    );
    expect(taking).toEqual(leaf <= Number.MAX_SAFE_INTEGER ? ['seed'] : []);
  });

  test('an unbounded network is refused before its parts are counted', () => {
    for (const setting of ['channels', 'blocks', 'valueHidden', 'policyAttention']) {
      const { error } = RunConfig.safeParse({ network: { [setting]: 1e15 } });
      expect(error?.issues).toMatchObject([{ code: 'too_big', path: ['network', setting] }]);
    }
  });

  test('no list is unbounded', () => {
    const lists = { 'learner.rateDrops': { step: 1, factor: 1 }, 'evaluation.opponents': 'careful' };
    for (const [path, entry] of Object.entries(lists)) {
      for (const [length, accepted] of [
        [100, true],
        [101, false],
      ] as const) {
        const [value] = valuesWith(path, Array<unknown>(length).fill(entry));
        expect([path, length, isAccepted(value)]).toEqual([path, length, accepted]);
      }
    }
  });
});

describe('conflicting settings', () => {
  test.each([
    ['network.policyAttention', { game: { id: 'connect-four' }, network: { policyAttention: 8 } }],
    ['network.rings', { game: { id: 'connect-four' }, network: { rings: true } }],
    ['game', { game: { rules: 'none' }, network: { policyAttention: 8, rings: true } }],
  ])('the problem is reported at %s', (place, value) => {
    const places = RunConfig.safeParse(value).error?.issues.map(({ path }) => path.join('.'));
    expect(places).toEqual([place]);
  });
});

test.each([
  ['gess', {}, 32],
  ['quess', { channels: 16 }, 32],
  ['connect-four', { channels: 16 }, 0],
  ['gess', { policyAttention: 0 }, 0],
])('a network for %s with %j has attention of length %d', (id, network, length) => {
  expect(RunConfig.parse({ game: { id }, network }).network.policyAttention).toBe(length);
});

describe('settings', () => {
  const base = { game: { id: 'connect-four' }, learner: { averaging: { kind: 'exponential', decay: 0.5 } } };

  test('are parsed as JSON, else as text; the last one wins', () => {
    const settings = [
      'learner.batchSize=64',
      'learner.batchSize=128',
      'learner.rateDrops=[{"step":5,"factor":0.1}]',
    ];
    const more = [
      'evaluation.opponents=["random"]',
      'warmStart.agent=alphabeta:depth=1',
      'game={"id":"quess"}',
    ];
    expect(configWithSettings(base, [...settings, ...more])).toMatchObject({
      game: { id: 'quess' },
      learner: { batchSize: 128, rateDrops: [{ step: 5, factor: 0.1 }], averaging: { decay: 0.5 } },
      warmStart: { agent: 'alphabeta:depth=1' },
      evaluation: { opponents: ['random'] },
    });
    expect(base).not.toHaveProperty('evaluation');
  });

  test('that repeat the defaults change nothing', () => {
    const defaults = RunConfig.parse({});
    for (const path of settingPaths()) {
      const value = path
        .split('.')
        .reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], defaults);
      // Settings of other variants of a choice have no default here.
      if (value === undefined) continue;
      expect(configWithSettings({}, [`${path}=${JSON.stringify(value)}`])).toEqual(defaults);
    }
  });

  test.each([
    ['learner.batchsize=64', 'setting-unknown', 'learner.batchSize'],
    ['batchSize2=64', 'setting-unknown', 'gess config show'],
    ['simulations=64', 'setting-unknown', 'simulations'],
    ['channels=64', 'setting-unknown', "did you mean 'network.channels'?"],
    ['__proto__.x=1', 'setting-unknown', '__proto__.x'],
    ['learner.batchSize', 'setting-syntax', 'learner.batchSize'],
    ['=1', 'setting-syntax', '=1'],
    ['learner.batchSize=many', 'setting-invalid', 'learner.batchSize'],
    ['learner.batchSize=0', 'setting-invalid', 'learner.batchSize'],
    ['game.id=chess', 'setting-invalid', 'game.id'],
    ['learner={"batch":1}', 'setting-invalid', 'learner'],
    ['learner.averaging.kind=none', 'setting-invalid', 'learner.averaging.kind'],
    ['learner.rateDrops.step=5', 'setting-unknown', 'learner.rateDrops'],
    ['learner.learningRate=1e999', 'setting-invalid', 'learner.learningRate=1e999: '],
  ])('%s', (setting, code, text) => {
    expect(() => configWithSettings(base, [setting])).toThrow(
      expect.objectContaining({ code, exitCode: 2, message: expect.stringContaining(text) as string }),
    );
  });

  test('of any text are accepted or refused with a code', () => {
    const known = fc
      .tuple(fc.constantFrom(...settingPaths()), fc.oneof(fc.json(), fc.string()))
      .map((parts) => parts.join('='));
    fc.assert(
      fc.property(fc.array(fc.oneof(known, fc.string()), { minLength: 1, maxLength: 2 }), (texts) => {
        try {
          expect(configWithSettings({}, texts)).not.toBeNull();
        } catch (error) {
          expect(error).toBeInstanceOf(SettingError);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('are named when they make another setting invalid', () => {
    const fits = { network: { blocks: 4, globalPoolEvery: 3 } };
    expect(configWithSettings(fits, ['network.blocks=3'])).not.toBeNull();
    expect(() => configWithSettings(fits, ['network.blocks=2'])).toThrow(
      expect.objectContaining({
        code: 'setting-invalid',
        message: 'network.blocks=2: expected at most network.blocks, 2, got 3, at network.globalPoolEvery',
      }),
    );
  });

  test('without effect are refused', async () => {
    const config = { network: { blocks: 1, globalPoolEvery: 5 } };
    expect(RunConfig.safeParse(config).error?.issues).toMatchObject([
      { path: ['network', 'globalPoolEvery'] },
    ]);
    expect(RunConfig.safeParse({ network: { blocks: 0 } }).success).toBe(true);
    const path = join(temporaryFolder(), 'config.json');
    writeFileSync(path, JSON.stringify(config));
    await expect(readRunConfig(path)).rejects.toMatchObject({ code: 'config-invalid' });
  });

  test('are not named for errors elsewhere', () => {
    expect(configWithSettings({ network: { channels: 0 } }, ['seed=3'])).toBeNull();
    expect(configWithSettings({ network: { channels: 0 } }, ['network.channels=8'])).toMatchObject({
      network: { channels: 8 },
    });
  });
});
