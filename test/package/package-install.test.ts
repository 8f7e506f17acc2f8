// Packs the package, installs it in an empty folder and uses it there. Needs the npm registry; CI sets
// PACKAGE_INSTALL=1.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Most bytes of all installed packages, except for the networks and the page of gess-zero. */
const MAX_PROGRAM_BYTES = 15e6;
/** Most bytes of the networks in models/ and the page in web/. */
const MAX_CONTENT_BYTES = 11e6;
const CONTENT = /^gess-zero\/(models|web)\//;

const root = resolve(import.meta.dirname, '..', '..');
const project = mkdtempSync(join(tmpdir(), 'gess-package-'));
let tarball = '';

function run(folder: string, command: string, ...words: readonly string[]): string {
  return execFileSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  });
}

/** Output and exit code of `gess` in the project. */
function gess(...words: readonly string[]): {
  readonly code: number;
  readonly out: string;
  readonly err: string;
} {
  try {
    return { code: 0, out: run(project, join('node_modules', '.bin', 'gess'), ...words), err: '' };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status, out: stdout, err: stderr };
  }
}

/** Does the same as `npm install NAME`, without the download. */
function linkPackage(name: string): void {
  const folder = join('node_modules', name);
  mkdirSync(dirname(join(project, folder)), { recursive: true });
  symlinkSync(join(root, folder), join(project, folder));
}

function isRegistryReachable(): boolean {
  try {
    run(project, 'npm', 'ping', '--fetch-retries=0', '--fetch-timeout=10000');
    return true;
  } catch {
    console.warn('package-install: skipped, the npm registry cannot be reached');
    return false;
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
}

/** The part of the report of @arethetypeswrong/cli that is checked. */
interface AttwReport {
  readonly analysis: {
    readonly problems: readonly { readonly kind: string; readonly resolutionKind: string }[];
  };
}

const PROGRAM = `
import { createAgent, createGame, createRng, make } from 'gess-zero';
import type { Observation } from 'gess-zero/env/environments/environment';
import { Box } from 'gess-zero/env/spaces/box';

const game = createGame('gess');
const agent = await createAgent('alphabeta:depth=1', game);
const state = game.initialState();
const rng = createRng(1);
while (game.outcome(state) === null && game.ply(state) < 20) {
  const [choice] = await agent.chooseAll([{ state, rng }]);
  game.apply(state, choice!.action);
}
const env = make('gess/Quess');
env.reset({ seed: 1 });
const observation: Observation = env.last().observation;
const space = env.observationSpace('light');
console.log(game.ply(state), observation.actionMask.length, space.constructor.name, Box.name);
`;

/** Options of a strict project without Node's types, as a front-end has. */
const COMPILER_OPTIONS = { target: 'es2023', lib: ['es2023', 'dom'], strict: true, types: [], noEmit: false };

function compileProgram(options: Readonly<Record<string, string>>): string {
  const config = { compilerOptions: { ...COMPILER_OPTIONS, ...options }, files: ['program.ts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  return run(project, process.execPath, join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', '.');
}

const isRequested = process.env['PACKAGE_INSTALL'] === '1';

describe.skipIf(!isRequested || !isRegistryReachable())('the packed package', { timeout: 120_000 }, () => {
  beforeAll(() => {
    const packed = run(
      root,
      'npm',
      'pack',
      '--ignore-scripts=false',
      '--silent',
      '--pack-destination',
      project,
    );
    tarball = join(project, packed.trim().split('\n').at(-1)!);
    writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }');
    writeFileSync(join(project, 'program.ts'), PROGRAM);
    run(project, 'npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', tarball);
  }, 300_000);

  afterAll(() => {
    rmSync(project, { recursive: true });
  });

  test('has models, documents and presets, and no build information', () => {
    const files = filesIn(join(project, 'node_modules', 'gess-zero'));
    expect(files).toEqual(
      expect.arrayContaining([
        'configs/small.json',
        'docs/reference/rules.md',
        'models/gess/model-legal.onnx',
        'examples/tic-tac-toe.ts',
      ]),
    );
    expect(files.filter((name) => /\.tsbuildinfo$|\.map$|^test|^docs\/api|^node_modules/.test(name))).toEqual(
      [],
    );
  });

  test('passes publint', () => {
    expect(run(root, 'npx', 'publint', 'run', tarball, '--strict')).toContain('All good!');
  });

  test('has types that resolve in every mode of ES modules', () => {
    const report = run(root, 'npx', 'attw', tarball, '--profile', 'esm-only', '--format', 'json');
    const { problems } = (JSON.parse(report) as AttwReport).analysis;
    // The package has ES modules only and no files for old resolvers.
    const relevant = problems.filter(
      ({ resolutionKind }) => !['node10', 'node16-cjs'].includes(resolutionKind),
    );
    expect(relevant).toEqual([]);
  });

  test('brings no install script and at most 15 MB beside the networks and the page', () => {
    const lock = readFileSync(join(project, 'node_modules', '.package-lock.json'), 'utf8');
    expect(lock).not.toContain('hasInstallScript');
    const folder = join(project, 'node_modules');
    let [programBytes, contentBytes] = [0, 0];
    for (const name of filesIn(folder)) {
      const { size } = statSync(join(folder, name));
      if (CONTENT.test(name)) contentBytes += size;
      else programBytes += size;
    }
    const [blocks] = run(project, 'du', '-sk', 'node_modules').split('\t');
    console.log(
      `installed packages: ${(programBytes / 1e6).toFixed(1)} MB, networks and page ` +
        `${(contentBytes / 1e6).toFixed(1)} MB, on this disk ${Number(blocks) / 1000} MB`,
    );
    expect(programBytes).toBeLessThan(MAX_PROGRAM_BYTES);
    expect(contentBytes).toBeLessThan(MAX_CONTENT_BYTES);
  });

  test.each([
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ])('compiles and plays under moduleResolution $moduleResolution', (options) => {
    expect(compileProgram(options)).toBe('');
    expect(run(project, process.execPath, 'program.js').trim()).toBe('20 1008 Dict Box');
  });

  test('runs the commands that need no optional package', () => {
    expect(gess('--version').out.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    expect(gess('perft', '1', '--json').out).toContain('"nodes":478');
    expect(gess('analyze', '--depth', '1').out).toContain('alphabeta:depth=1');
  });

  test('lists in gess doctor how to install the packages that it lacks', () => {
    const { code, out, err } = gess('doctor');
    expect(code).toBe(1);
    expect(out).toMatch(/^backend +missing$/m);
    expect(err).toMatch(/npm install --ignore-scripts onnxruntime-node@\d/);
    expect(err).toMatch(/npm install --ignore-scripts @tensorflow\/tfjs@\d.* yauzl@\d/);
    expect(err).toMatch(/\[machine-lacks\]\n$/);
  });

  test('asks for the packages that a command lacks', () => {
    expect(gess('train', '--preset', 'tiny', '--out', 'run')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^gess: expected the packages .*apache-arrow.*: npm install --ignore-scripts .*apache-arrow@\d.* \[package-missing\]\n$/,
      ) as unknown,
    });
    expect(gess('study', 'games')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^gess: expected the package apache-arrow: npm install apache-arrow@\S+ \[package-missing\]\n$/,
      ) as unknown,
    });
    for (const [words, packages] of [
      ['inspect run', '@bufbuild/protobuf, onnx-buf, apache-arrow'],
      ['report run', '@bufbuild/protobuf, onnx-buf, apache-arrow, echarts'],
      ['data convert games', 'apache-arrow, hyparquet, hyparquet-writer'],
    ] as const) {
      expect(gess(...words.split(' ')).err).toContain(`gess: expected the packages ${packages}: npm install`);
    }
  });

  test('reads the records of the package once the SGF package is installed', () => {
    const words = ['replay', '--sgf', 'gess-zero/examples/records/eureka-53.sgf', '--force'];
    expect(gess(...words).err).toContain('expected the package @sabaki/sgf: npm install @sabaki/sgf@');
    linkPackage('@sabaki/sgf');
    expect(gess(...words)).toMatchObject({
      code: 0,
      out: expect.stringContaining('result of the record: white has won') as string,
    });
  });

  test('asks for the package that a module lacks', () => {
    const program = `import('gess-zero/data/episodes/episode-file').catch(({ code, message }) => console.log(code, message))`;
    expect(run(project, process.execPath, '--input-type=module', '--eval', program)).toMatch(
      /^package-missing expected the package apache-arrow: npm install apache-arrow@/,
    );
  });

  test('plays with its models by name once ONNX Runtime is installed', () => {
    linkPackage('onnxruntime-node');
    for (const [game, agent] of [
      ['gess', 'mcts:model=gess,simulations=8'],
      ['gess', 'policy:model=gess-int8'],
      ['quess', 'policy:model=quess'],
      ['connect-four', 'mcts:model=connect-four,simulations=8'],
    ] as const) {
      const { code, out, err } = gess('analyze', '--game', game, '--agent', agent, '--json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(JSON.parse(out)).toMatchObject({ game, move: expect.any(String) as string });
    }
    expect(
      filesIn(join(project, 'node_modules', 'gess-zero')).filter((name) =>
        name.startsWith('models/gess/checkpoint'),
      ),
    ).toEqual([]);
  });
});
