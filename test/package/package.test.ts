import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as rootModule from '../../gess-zero.js';
import { installCommand, loadOptional, type OptionalPackage } from '../../env/optional-packages.js';

const root = resolve(import.meta.dirname, '..', '..');
const architecture = readFileSync(join(root, 'docs', 'explanation', 'architecture.md'), 'utf8');

type Target = string | { readonly types: string; readonly default: string };
type Versions = Readonly<Record<string, string>>;
const { version, exports, dependencies, devDependencies, peerDependencies, peerDependenciesMeta } =
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly exports: Readonly<Record<string, Target>>;
    readonly dependencies: Versions;
    readonly devDependencies: Versions;
    readonly peerDependencies: Versions;
    readonly peerDependenciesMeta: Readonly<Record<string, unknown>>;
  };
const modules = Object.entries(exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [[path, target] as const],
);

/**
 * Imports each path as users of the package do, in a separate process; returns `imported` or the error's code.
 */
function importAll(paths: readonly string[]): unknown {
  const program = `
    const answers = [];
    for (const path of ${JSON.stringify(paths)}) {
      answers.push(await import(path).then(() => 'imported', ({ code }) => code));
    }
    console.log(JSON.stringify(answers));`;
  const answers = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  });
  return JSON.parse(answers);
}

/** The paths of the table in docs/explanation/architecture.md, "Public modules". */
function documentedPaths(): string[] {
  const [, section = ''] = /## Public modules\n([^]*?)\n## /.exec(architecture) ?? [];
  const rows = Array.from(section.matchAll(/^\| `gess-zero\/([^`]*)` +\| (.*?) +\|$/gm));
  return rows.flatMap(([, folder, modules]) =>
    Array.from(modules!.matchAll(/`([^`]+)`/g), ([, module]) => `./${folder!}${module!}`),
  );
}

describe('exports', () => {
  test('name one module each, with its types', () => {
    for (const [path, target] of modules) {
      expect(path).not.toContain('*');
      expect(target.types, path).toBe(target.default.replace(/\.js$/, '.d.ts'));
      const source = target.default.replace('./dist/', '').replace(/\.js$/, '.ts');
      expect(existsSync(join(root, source)), source).toBe(true);
    }
  });

  test('are the modules of docs/explanation/architecture.md, the root and package.json', () => {
    expect(Object.keys(exports).toSorted()).toEqual(['.', './package.json', ...documentedPaths()].toSorted());
  });

  test('are the entry points of the API reference', async () => {
    const config: unknown = await import(join(root, 'typedoc.config.mjs'));
    const sources = modules.map(([, target]) => target.types.replace('./dist/', '').replace('.d.ts', '.ts'));
    expect(config).toMatchObject({ default: { entryPoints: sources } });
  });

  test('of the root module are these names', () => {
    expect(Object.keys(rootModule).toSorted()).toEqual([
      'CodedError',
      'GAME_IDS',
      'createAgent',
      'createGame',
      'createOpponent',
      'createRng',
      'make',
      'makeVec',
      'positionAfter',
      'registerGame',
      'registeredIds',
      'replayMoves',
    ]);
    const source = readFileSync(join(root, 'gess-zero.ts'), 'utf8');
    const lists = Array.from(source.matchAll(/^export (type )?\{([^}]*)\}/gm));
    const types = lists.flatMap(([, isType, list]) =>
      list!
        .split(',')
        .map((name) => name.trim())
        .filter((name) => isType !== undefined || name.startsWith('type '))
        .map((name) => name.replace(/^type /, '')),
    );
    expect(types.toSorted()).toEqual([
      'Action',
      'Agent',
      'Choice',
      'Environment',
      'Game',
      'ModelOpener',
      'Observation',
      'Outcome',
      'Player',
      'ReplayResult',
      'Rng',
      'TurnEnvironment',
    ]);
  });

  test('can be imported, and no other module', () => {
    const paths = modules.map(([path]) => path.replace(/^\./, 'gess-zero'));
    expect(importAll(paths)).toEqual(paths.map(() => 'imported'));
    expect(
      importAll([
        'gess-zero/training/learning/optimizer',
        'gess-zero/env/environments/conformance/finding',
        'gess-zero/scripts/program',
      ]),
    ).toEqual(Array.from({ length: 3 }, () => 'ERR_PACKAGE_PATH_NOT_EXPORTED'));
  });
});

describe('optional packages', () => {
  test('have an install command with the version used in the tests', () => {
    for (const name of Object.keys(peerDependencies) as OptionalPackage[]) {
      expect(installCommand([name])).toMatch(
        new RegExp(`^npm install (--ignore-scripts )?${name}@${devDependencies[name]!}$`),
      );
      expect(peerDependencies[name]).toBe(`^${devDependencies[name]!}`);
      expect(peerDependenciesMeta[name]).toEqual({ optional: true });
      expect(Object.keys(dependencies)).not.toContain(name);
    }
    expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
  });

  test('are in the table of docs/how-to/install.md', () => {
    const page = readFileSync(join(root, 'docs', 'how-to', 'install.md'), 'utf8');
    const rows = page.split('\n').filter((line) => line.startsWith('|'));
    for (const name of Object.keys(peerDependencies)) expect(rows.join('\n')).toContain(`\`${name}\``);
    expect(page).toContain(`gess-zero-${version}.tgz`);
  });

  test('are named in the error if they are missing', async () => {
    const missing = Object.assign(new Error("Cannot find package 'apache-arrow' imported from /a.js"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    await expect(loadOptional('apache-arrow', () => Promise.reject(missing))).rejects.toMatchObject({
      code: 'package-missing',
      message: 'expected the package apache-arrow: npm install apache-arrow@21.2.0',
      exitCode: 1,
    });
    const other = Object.assign(new Error("Cannot find package 'tslib' imported from /apache-arrow/a.js"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    await expect(loadOptional('apache-arrow', () => Promise.reject(other))).rejects.toBe(other);
  });
});
