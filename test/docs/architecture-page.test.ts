import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importsOf } from '../package/import-graph.js';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'explanation', 'architecture.md'), 'utf8');

/** The cells of the rows of the first table below a heading. */
function tableBelow(heading: string): readonly (readonly string[])[] {
  const section = PAGE.slice(PAGE.indexOf(`\n## ${heading}\n`));
  const lines = section.split('\n');
  const first = lines.findIndex((line) => line.startsWith('| '));
  const rows = lines.slice(first + 2);
  const end = rows.findIndex((line) => !line.startsWith('| '));
  return rows.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The layers of the page in its order, with the others that each may import. */
function layersOfPage(): ReadonlyMap<string, readonly string[]> {
  const rows = tableBelow('Layers').filter(([, , imports]) => !['the package', 'all'].includes(imports!));
  const names = rows.map(([folder]) => /`(\w+)\/`/.exec(folder!)![1]!);
  return new Map(
    rows.map(([, , imports], index) => {
      if (imports === 'nothing of ours') return [names[index]!, []];
      const except = /^all but (\w+)$/.exec(imports!)?.[1];
      if (except === undefined) return [names[index]!, imports!.split(', ').sort()];
      return [names[index]!, names.filter((name) => name !== except && name !== names[index]).sort()];
    }),
  );
}

/** The layers that a layer's files import, without itself. */
function layersImportedBy(layer: string): readonly string[] {
  const sources = importsOf(layer).flatMap(({ source }) => (source === null ? [] : [source.split('/')[0]!]));
  return [...new Set(sources)].filter((name) => name !== layer).sort();
}

describe('the architecture page equals the import graph', () => {
  test('it lists all layers', () => {
    expect([...layersOfPage().keys()]).toEqual([
      'env',
      'data',
      'agents',
      'session',
      'training',
      'scripts',
      'web',
    ]);
  });

  test.each([...layersOfPage()])(
    '%s/ imports the layers that its row names, and all of them',
    (layer, named) => {
      expect(layersImportedBy(layer)).toEqual(named);
    },
  );
});

test('the files and folders that the page starts from exist', () => {
  const paths = tableBelow('Files').flatMap(([cell]) =>
    Array.from(cell!.matchAll(/`([^`]+)`/g), ([, path]) => path!),
  );
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
