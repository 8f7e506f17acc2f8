import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DataError } from '../../data/data-error.js';
import { compileFilter, FILTER_FIELDS } from '../../data/datasets/row-filter.js';
import { digestOfConfig, parseConfigJson, parseRunConfig } from '../../training/config/config-file.js';
import type { RunConfig } from '../../training/config/run-config.js';
import { TrainingError } from '../../training/training-error.js';
import { fuzz } from './fuzz.js';
import { hostileTexts } from './hostile-texts.js';
import { JSON_WORDS } from './files/resealed.js';
import { checkRefusal, checkRoundTrip, readOrRefuse } from './refusal.js';

const CONFIGS = [
  {},
  { seed: 7, generations: 2, game: { id: 'quess', rules: 'standard,clock=180' } },
  { network: { channels: 8, blocks: 1 }, warmStart: { agent: 'alphabeta:depth=2', games: 4 } },
  {
    selfPlay: { processes: 1, search: { simulations: 16 }, temperature: 0.5 },
    replay: { windowGenerations: 2 },
  },
  {
    learner: { batchSize: 32, learningRate: 0.001, symmetries: false },
    evaluation: { opponents: ['random'], games: 4 },
  },
].map((config) => JSON.stringify(config));
const CONFIG_WORDS = [
  ...JSON_WORDS,
  ...[
    '"$schema":"x"',
    '"seed":',
    '"game":{"id":"gess"}',
    '"network":{',
    '"opponents":["mcts"]',
    '"every":0',
    '"__proto__":{},',
  ],
];

fuzz('the configuration of a run', {
  input: hostileTexts(fc.constantFrom(...CONFIGS), CONFIG_WORDS),
  runs: 300,
  law: (text) => {
    const read = (words: string): RunConfig => parseRunConfig(parseConfigJson(words, 'the text'), 'the text');
    const found = readOrRefuse(() => read(text), TrainingError, ['config-syntax', 'config-invalid']);
    if (found === undefined) return false;
    checkRoundTrip<RunConfig>(found.value, {
      read,
      write: (config) => JSON.stringify(config),
      portrait: digestOfConfig,
    });
    return true;
  },
});

const CONDITIONS = ['ply=10..40', 'result=won,none', 'rootValue=-0.5..', 'gameId=1,3..6', 'surprise=none'];
const CONDITION_WORDS = [
  ...FILTER_FIELDS,
  '=',
  '..',
  ',',
  '-',
  '1e9',
  'NaN',
  'won',
  'drawn',
  '0.5',
  '__proto__',
  'toString',
];

fuzz('a condition on rows', {
  input: hostileTexts(fc.constantFrom(...CONDITIONS), CONDITION_WORDS),
  runs: 300,
  law: (text) => {
    try {
      compileFilter({ where: [text], sample: 1, seed: 1 });
      return true;
    } catch (error) {
      checkRefusal(error);
      assert.ok(error instanceof DataError);
      assert.equal(error.code, 'dataset-filter');
      return false;
    }
  },
});
