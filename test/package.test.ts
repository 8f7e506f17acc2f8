import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const architecture = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');

type Target = string | null | { readonly types: string; readonly default: string };
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, Target>>;
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
