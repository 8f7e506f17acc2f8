import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installCommand, loadOptional, type OptionalPackage } from '../env/optional-packages.js';

const root = resolve(import.meta.dirname, '..');
const architecture = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');

type Target = string | null | { readonly types: string; readonly default: string };
type Versions = Readonly<Record<string, string>>;
const { exports, dependencies, devDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as {
  readonly exports: Readonly<Record<string, Target>>;
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
  readonly peerDependencies: Versions;
  readonly peerDependenciesMeta: Readonly<Record<string, unknown>>;
};
const targets = Object.entries(exports);

/** Imports each path as a user of the package does, in a process of its own; answers with the codes of errors. */
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

describe('the paths that users import', () => {
  test('lead to modules that are there', () => {
    for (const [path, target] of targets) {
      if (target === null || typeof target === 'string') continue;
      const source = target.default.replace('./dist/', '').replace(/\.js$/, '.ts');
      expect(target.types, path).toBe(target.default.replace(/\.js$/, '.d.ts'));
      expect(existsSync(join(root, source.replace('/*.ts', ''))), source).toBe(true);
    }
  });

  test('are those of docs/architecture.md', () => {
    const [, section = ''] = /## Public modules\n([^]*?)\n## /.exec(architecture) ?? [];
    const named = Array.from(section.matchAll(/`gess-zero\/([^`]+)`/g), ([, path]) => `./${path!}`);
    const open = targets.filter(([, target]) => target !== null).map(([path]) => path);
    expect(named.toSorted()).toEqual(open.toSorted());
  });

  test('can be imported, and no others', () => {
    expect(
      importAll([
        'gess-zero/env/conformance',
        'gess-zero/env/environments/make',
        'gess-zero/agents/create-agent',
        'gess-zero/data/shards/shard',
        'gess-zero/training/config/run-config',
        'gess-zero/training/matches/elo',
      ]),
    ).toEqual(Array.from({ length: 6 }, () => 'imported'));
    expect(
      importAll([
        'gess-zero/training/learning/optimizer',
        'gess-zero/env/environments/conformance/finding',
        'gess-zero/scripts/program',
        'gess-zero',
      ]),
    ).toEqual(Array.from({ length: 4 }, () => 'ERR_PACKAGE_PATH_NOT_EXPORTED'));
  });
});

describe('optional packages', () => {
  test('have the install command of the version that the tests run with', () => {
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

  test('are asked for by name where they are missing', async () => {
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
