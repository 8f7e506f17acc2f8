import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DIST = join(ROOT, 'dist');
const MODEL = join(ROOT, 'models', 'connect-four', 'model-legal.onnx');

/** A program that uses the package: opens a model and runs it once. */
const RUN_MODEL = `
  import { readFileSync } from 'node:fs';
  import { openOnnxModel } from ${JSON.stringify(pathToFileURL(join(DIST, 'training/inference/onnx-session.js')).href)};
  const session = await openOnnxModel(readFileSync(${JSON.stringify(MODEL.replace('-legal', '-policy'))}));
  const [, ...shape] = session.inputs.get('observation');
  const size = shape.reduce((product, length) => product * length, 1);
  await session.run({ observation: { data: new Float32Array(size), shape: [1, ...shape] } });
`;

const GESS = join(DIST, 'scripts', 'main.js');
const AGENT = `mcts:model=${MODEL},simulations=2`;

const PROGRAMS: [name: string, words: string[], files: string[]][] = [
  ['a program with a model', ['--input-type=module', '--eval', RUN_MODEL], []],
  ['gess engine', [GESS, 'engine', '--game', 'connect-four', '--agent', AGENT], []],
  ['gess analyze', [GESS, 'analyze', '--game', 'connect-four', '--agent', AGENT], []],
  [
    'worker processes',
    [
      ...[GESS, 'selfplay', '--game', 'connect-four', '--model', MODEL, '--games', '2', '--processes', '2'],
      ...['--set', 'selfPlay.search.simulations=2', '--out', 'games'],
    ],
    ['games'],
  ],
];

test.each(isLong ? PROGRAMS : PROGRAMS.slice(0, 2))(
  '%s leaves no files in the home folder or the temporary folder',
  (_, args, expected) => {
    const folder = temporaryFolder();
    const [home, temporary, work] = ['home', 'temporary', 'work'].map((name) => join(folder, name));
    for (const path of [home!, temporary!, work!]) mkdirSync(path);
    const env: NodeJS.ProcessEnv = { ...process.env, HOME: home, TMPDIR: temporary };
    delete env['ORT_DISABLE_TELEMETRY'];
    delete env['XDG_CACHE_HOME'];
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: work,
      env,
      encoding: 'utf8',
      // For the engine.
      input: 'go\nquit\n',
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(readdirSync(home!)).toEqual([]);
    expect(readdirSync(temporary!)).toEqual([]);
    expect(readdirSync(work!)).toEqual(expected);
  },
);
