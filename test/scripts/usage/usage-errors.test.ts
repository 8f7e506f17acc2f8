import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { make } from '../../../env/environments/make.js';
import { CodedError } from '../../../env/errors.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { createEnvServer } from '../../../scripts/env-server/server.js';
import { UsageError } from '../../../scripts/usage/usage-error.js';
import { failGess, runGess } from '../captured-output.js';
import { LAUNCHER } from './launcher.js';

/** The code, the message and the exit code of a failed command, which must not print its error itself. */
async function failure(words: readonly string[]): Promise<CodedError> {
  const { error, messages } = await failGess(words);
  if (!(error instanceof CodedError)) throw error;
  expect(messages).toEqual([]);
  return error;
}

describe('an error names what is wrong', () => {
  test.each<[string, string, RegExp]>([
    ['shwo', 'command-unknown', /^unknown command 'shwo'; did you mean 'show'\?$/],
    ['xyzzy', 'command-unknown', /^unknown command 'xyzzy'; there are setup, doctor, /],
    ['foo', 'command-unknown', /^unknown command 'foo'; there are setup, doctor, /],
    ['data mrege', 'command-unknown', /^unknown command 'mrege'; did you mean 'merge'\?$/],
    ['shwo --help', 'command-unknown', /^unknown command 'shwo'; did you mean 'show'\?$/],
    ['data mrege --help', 'command-unknown', /^unknown command 'mrege'; did you mean 'merge'\?$/],
    ['help xyzzy', 'command-unknown', /^unknown command 'xyzzy'; there are setup, doctor, /],
    ['config shw', 'command-unknown', /^unknown command 'shw'; did you mean 'show'\?$/],
    ['--vesrion', 'option-unknown', /^unknown option '--vesrion'; did you mean '--version'\?$/],
    ['show --jsno', 'option-unknown', /^unknown option '--jsno'; did you mean '--json'\?$/],
    ['show --debg', 'option-unknown', /^unknown option '--debg'; did you mean '--debug'\?$/],
    [
      'config show --presett=tiny',
      'option-unknown',
      /^unknown option '--presett'; did you mean '--preset'\?$/,
    ],
    ['train --otu runs/a', 'option-unknown', /^unknown option '--otu'; did you mean '--out'\?$/],
    ['selfplay --gams 3', 'option-unknown', /^unknown option '--gams'; did you mean '--games'\?$/],
    ['data merge --otu x', 'option-unknown', /^unknown option '--otu'; did you mean '--out'\?$/],
    ['perft --deep', 'option-unknown', /^unknown option '--deep'/],
    ['train', 'option-missing', /^expected the option '--out <folder>'$/],
    ['train --out', 'option-value', /^expected a value of the option '--out <folder>'$/],
    ['perft', 'argument-missing', /^expected the argument 'depth'$/],
    [
      'perft 1 2 3',
      'argument-excess',
      /^expected 1 argument of gess perft, got 3, the first unexpected one is '2'$/,
    ],
    ['perft x', 'argument-value', /^depth: expected a whole number from 0 to 20; got 'x'$/],
    [
      'train --out a --preset tinny',
      'option-value',
      /^--preset <name>: .*; got 'tinny'; did you mean 'tiny'\?$/,
    ],
    [
      'evaluate --processes 257',
      'option-value',
      /^--processes <n>: expected a whole number from 1 to 256; got/,
    ],
    ['show --svg run.json', 'option-value', /^expected a name ending in \.svg for --svg, got 'run\.json'$/],
    [
      'analyze --svg run.json',
      'option-value',
      /^expected a name ending in \.svg for --svg, got 'run\.json'$/,
    ],
    ['perft 1 --last-ply cuont', 'option-value', /; got 'cuont'; did you mean 'count'\?$/],
    ['bench perf', 'argument-value', /; got 'perf'; did you mean 'perft'\?$/],
    [
      'train --out a --preset tiny --config x',
      'option-conflict',
      /'--config <file>' cannot be used with .*--preset/,
    ],
  ])('gess %s', async (words, code, message) => {
    const error = await failure(words.split(' '));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code, exitCode: 2 });
    expect(error.message).toMatch(message);
  });

  test.each(['1e9', '-1', 'NaN', '0x10', '١', ' 5 ', '1000001', '5.0', '+5', '１'])(
    'as the number --games %j',
    async (text) => {
      const error = await failure(['selfplay', '--agent', 'random', '--out', 'x', '--games', text]);
      expect(error.code).toBe('option-value');
      expect(error.message).toBe(`--games <n>: expected a whole number from 1 to 1000000; got '${text}'`);
    },
  );
});

describe('a message names the nearest known name', () => {
  test.each<[string, RegExp]>([
    ['show --game gass', /did you mean 'gess'\?$/],
    ['inspect shards --game quss', /did you mean 'quess'\?$/],
    ['show --rules wikipeda', /did you mean 'wikipedia'\?$/],
    ['show --rules eureka,edg=free', /did you mean 'edge'\?$/],
    ['show --rules eureka,edge=stric', /did you mean 'strict'\?$/],
    ['show --game quess --rules standart', /did you mean 'standard'\?$/],
    ['analyze --agent alphabet:depth=2', /did you mean 'alphabeta'\?$/],
    ['analyze --agent alphabeta:dept=2', /unknown key 'dept'; did you mean 'depth'\?/],
    ['analyze --agent alphabeta:depth=2,weights=fited', /did you mean 'fitted'\?$/],
    ['analyze --agent mcts:simulation=2', /did you mean 'simulations'\?/],
    [
      'analyze --agent alphabeta:depth=1e9',
      /expected a whole number from 1 to 64; got 1000000000, at depth$/,
    ],
    ['analyze --agent alphabeta:depth=0x10', /expected a whole number from 1 to 64; got '0x10', at depth$/],
    ['analyze --agent alphabeta:timeMs=-1', /expected a number above 0 up to 1000000000; got -1, at timeMs$/],
    ['config show --set lerner.batchSize=3', /did you mean 'learner.batchSize'\?$/],
    [
      'config show --set selfPlay.search.root=gumbel --set selfPlay.search.exploration=1',
      /unknown key 'exploration', which applies to another choice of this group, at selfPlay.search$/,
    ],
    ['analyze --depth 100', /^--depth <n>: .* from 1 to 64/],
    ['config show --set channels=3', /did you mean 'network.channels'\?$/],
    ['config show --set learner={"batchsize":3}', /did you mean 'learner.batchSize'\?/],
    ['config show --set learner={"batchSize":1,}', /^learner: expected JSON: .*double-quoted/],
    [
      'config show --set learner.averaging={"kind":"none","kind":"exponential"}',
      /^learner\.averaging: expected JSON: .*kind/,
    ],
    [
      'config show --set evaluation.games=1e15',
      /expected a whole number from 2 to 1000000; got 1000000000000000/,
    ],
    ['config show --set learner.batchSize=0x10', /expected a whole number from 1 to 8192; got '0x10'/],
  ])('gess %s', async (words, message) => {
    const { error } = await failGess(words.split(' '));
    expect((error as Error).message).toMatch(message);
  });

  test.each<[string, RegExp]>([
    ['{"lerner": {}}', /unknown key 'lerner'; did you mean 'learner'\?$/],
    [
      '{"learner": {"batchsize": 3}}',
      /unknown key 'batchsize'; did you mean 'learner.batchSize'\?, at learner$/,
    ],
    [
      '{"constructor": 1, "toString": 2}',
      /: unknown keys 'constructor', 'toString'; gess config show prints all settings$/,
    ],
    ['{"channels": 3}', /unknown key 'channels'; did you mean 'network.channels'\?$/],
    [
      '{"learner": {"batchSize": 1e9}}',
      /expected a whole number from 1 to 8192; got 1000000000, at learner.batchSize$/,
    ],
  ])('the configuration %s', async (text, message) => {
    const file = join(temporaryFolder(), 'config.json');
    writeFileSync(file, text);
    const { error } = await failGess(['config', 'show', '--config', file]);
    expect(error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message) as string,
    });
  });
});

test('the record of a game, the options of an environment and a request name the nearest key', async () => {
  const file = join(temporaryFolder(), 'record.json');
  writeFileSync(file, '{"version": 1, "game": "gess", "rules": "eureka", "moevs": []}');
  const { error } = await failGess(['replay', '--record', file]);
  expect((error as Error).message).toMatch(/unknown key 'moevs'; did you mean 'moves'\?/);
  expect(() => make('gess/Quess', { plyLimt: 3 })).toThrow(
    /unknown key 'plyLimt'; did you mean 'plyLimit'\?/,
  );
  expect(createEnvServer()('{"id": 1, "method": "rest"}')).toMatch(/did you mean 'reset'\?/);
});

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures');
const [SHARD, RUN, CHECKPOINT] = ['shard.arrow', 'run-1.0.0', 'checkpoint'].map((name) =>
  join(FIXTURES, name),
);

test.each<[string, string]>([
  [`inspect ${SHARD!}`, 'quess'],
  [`inspect ${CHECKPOINT!}`, 'gess'],
  [`data verify ${SHARD!}`, 'gess'],
  [`data verify ${CHECKPOINT!}`, 'gess'],
  [`data merge ${SHARD!} --out OUT`, 'quess'],
  [`data convert ${SHARD!} --out OUT`, 'quess'],
  [`data card ${FIXTURES}`, 'quess'],
  [`report ${RUN!} --out OUT.html`, 'gess'],
  [`watch ${RUN!} --once`, 'gess'],
  [`export --checkpoint ${CHECKPOINT!} --out OUT`, 'quess'],
  [`export --verify connect-four`, 'quess'],
  [`average ${CHECKPOINT!} ${CHECKPOINT!} --out OUT`, 'gess'],
  [`accuracy --run ${RUN!} --solved ${FIXTURES}/connect-four-solved.jsonl`, 'connect-four'],
])('gess %s refuses --game %s', async (words, game) => {
  const out = join(temporaryFolder(), 'out');
  const { error, results } = await failGess([...words.replace('OUT', out).split(' '), '--game', game]);
  const message = expect.stringMatching(/^expected --game \S+, the game of /) as string;
  expect(error).toMatchObject({ code: 'option-value', exitCode: 2, message });
  expect(results).toEqual([]);
  expect(existsSync(out) || existsSync(`${out}.html`)).toBe(false);
});

test.each([
  ['show --game connect-four --piece a1', '--piece'],
  ['ladder --out x --player careful --every 4', '--every'],
  ['ladder --out x --player careful --simulations 3', '--simulations'],
  ['ladder --out x --player careful --neighbours 7 --format round-robin', '--neighbours'],
  ['ladder --out x --player careful --replay-share 0.5', '--replay-share'],
  ['evaluate --agent random --opponent random --any-processor', '--any-processor'],
  ['evaluate --agent random --opponent random --run-programs', '--run-programs'],
  ['evaluate --agent random --opponent random --alpha 0.1', '--alpha'],
  ['selfplay --agent random --games 1 --out x --any-processor', '--any-processor'],
  ['train --out x --preset tiny --replay-share 0.5', '--replay-share'],
  [`inspect ${CHECKPOINT!} --row 9`, '--row'],
  ['study x --list --json', '--list'],
  ['analyze --plies 3 --json', '--plies'],
  ['analyze --agent mcts:simulations=1 --tree 2 --plies 7', '--plies'],
])('gess %s is refused: %s has no effect', async (words, option) => {
  const error = await failure(words.split(' '));
  expect(error).toMatchObject({ code: 'option-conflict', exitCode: 2 });
  expect(error.message).toMatch(new RegExp(`^expected ${option} with`));
});

test('other rules than those of a run and another game of --set are refused', async () => {
  const words = ['accuracy', '--run', RUN!, '--solved', 'x', '--rules'];
  expect(await failure([...words, 'standard,clock=9'])).toMatchObject({ code: 'option-value' });
  expect(await failure([...words, 'standard'])).toMatchObject({ code: 'file-missing' });
  const set = ['config', 'show', '--game', 'gess', '--set', 'game={"id":"quess"}'];
  expect(await failure(set)).toMatchObject({ code: 'setting-invalid' });
});

test.each([
  ['pool-address', ['worker', '--pool', 'foo']],
  ['pool-address', ['serve', '--pool', 'foo']],
  ['pool-address', ['pool', 'init', '--out', 'x', '--host', 'a b']],
  ['dataset-content', ['data', 'split', 'x', '--out', 'y', '--part', 'a=0.5']],
  ['dataset-content', ['data', 'card', 'x', '--id', 'foo']],
  ['agent-option', ['data', 'reanalyze', 'x', '--model', 'y', '--search', 'nodes=3', '--out', 'z']],
])('%s is wrong use: %j', async (code, words) => {
  await expect(runGess(...words)).rejects.toMatchObject({ code, exitCode: 2 });
});

describe('an empty text', () => {
  test.each([
    ['train', '--out', ''],
    ['train', '--out='],
    ['selfplay', '--games', '1', '--agent', '', '--out', 'x'],
    ['learn', '--data', 'x', '', '--out', 'y'],
    ['show', '--svg='],
    ['show', '--game', ''],
    ['config', 'show', '--config', ''],
    ['data', 'merge', 'x', '--out', 'y', '--where', ''],
  ])('%j is not a value of an option', async (...words) => {
    expect(await failure(words)).toMatchObject({ code: 'option-value', exitCode: 2 });
  });

  test.each([
    ['inspect', ''],
    ['data', 'verify', ''],
    ['data', 'merge', 'x', '', '--out', 'y'],
  ])('%j is not an argument', async (...words) => {
    expect(await failure(words)).toMatchObject({ code: 'argument-value', exitCode: 2 });
  });

  test('is a list without moves', async () => {
    expect((await runGess('replay', '--moves', '')).results[0]).toMatch(/^legal/);
  });
});

describe('a million words end soon', () => {
  const million = Array.from({ length: 1_000_000 }, (_, i) => String(i));
  test.each<[string, readonly string[]]>([
    ['arguments', ['perft', ...million]],
    ['settings', ['config', 'show', ...million.flatMap((text) => ['--set', `seed=${text}`])]],
    ['settings in one word', ['config', 'show', ...million.map((text) => `--set=seed=${text}`)]],
    ['values', ['learn', '--out', 'x', '--data', ...million]],
    ['unknown options', ['show', ...million.map((text) => `--o${text}`)]],
    ['words after --', ['perft', '--', ...million]],
    ['commands', million],
  ])('as %s', async (_, words) => {
    // Processor time, because the operations of the parser cannot be counted.
    const before = process.cpuUsage();
    expect(await failure(words)).toMatchObject({ exitCode: 2 });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});

describe('a long or hostile text', () => {
  const long = 'x'.repeat(5000);
  test.each([
    [long],
    [`--${long}`],
    ['show', `--${long}`],
    ['show', '--game', long],
    ['show', '--rules', long],
    ['show', '--moves', long],
    ['show', '--piece', long],
    ['show', '--game', 'quess', '--moves', long],
    ['perft', long],
    ['perft', 'x '.repeat(3000)],
    ['bench', long],
    ['analyze', '--agent', long],
    ['analyze', '--agent', `alphabeta:${long}=3`],
    ['analyze', '--agent', `alphabeta:depth=3,weights=${long}`],
    ['analyze', '--agent', `policy:model=${long}`],
    ['config', 'show', '--set', `${long}=3`],
    ['config', 'show', '--set', `seed=${long}`],
    ['config', 'show', '--set', `seed=${'x '.repeat(3000)}`],
    ['config', 'show', '--config', long],
    ['config', 'show', '--preset', long],
    ['inspect', long],
    ['replay', '--moves', 'a1-a2', '--write', `${long}.txt`],
  ])('%# is cut in the message', async (...words) => {
    const { message } = await failure(words);
    expect(message.length).toBeLessThan(600);
    expect(message).toMatch(/ … \d+ characters … /);
  });

  test.each([
    ['\u001b[31mred'],
    ['show', '--game', '\u001b]0;title\u0007'],
    ['show', '--\u001b[31m'],
    ['inspect', 'a\u001b[31mb\nc\u202ed\u009b'],
    ['analyze', '--agent', 'a\rb'],
    ['config', 'show', '--set', 'a\u001b[31m=3'],
    ['config', 'show', '--config', '\u001b[31m'],
    ['perft', '\u001b[31m'],
  ])('%j shows its control characters', async (...words) => {
    const { message } = await failure(words);
    expect(message).toMatch(/\\u001b|\\r/);
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});

test('the program prints one line with the code, then a hint, and exits with 2', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [LAUNCHER, 'data', 'merge', '--otu', 'x'], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe(
    "gess: unknown option '--otu'; did you mean '--out'? [option-unknown]\n(gess data merge --help describes the arguments and options)\n",
  );
});
