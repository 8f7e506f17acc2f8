import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** What each layer may import of ours (docs/architecture.md, "Layers"). */
const LAYERS: Record<string, readonly string[]> = {
  env: ['env'],
  data: ['data', 'env'],
  agents: ['agents', 'env'],
  training: ['training', 'env', 'data', 'agents'],
  scripts: ['scripts', 'env', 'data', 'agents', 'training'],
};

/** Packages that only one place may load, and that place. */
const HEAVY_PACKAGES: readonly (readonly [RegExp, RegExp])[] = [
  [/^@tensorflow\//, /^training\//],
  [/^apache-arrow$/, /^data\/files\/arrow-library\.ts$/],
  [/^hyparquet/, /^data\/datasets\/parquet-library\.ts$/],
  [/^onnxruntime-/, /^training\/inference\/onnx-session\.ts$/],
];

const root = resolve(import.meta.dirname, '..');

interface Import {
  readonly file: string;
  readonly target: string;
}

function importsOf(layer: string): Import[] {
  return readdirSync(join(root, layer), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = join(layer, name);
      const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
      return importedFiles.map(({ fileName }) => ({ file, target: fileName }));
    });
}

describe.each(Object.entries(LAYERS))('%s/', (layer, allowed) => {
  test('imports only from the layers below it', () => {
    const strays = importsOf(layer).filter(({ file, target }) => {
      if (!target.startsWith('.')) return false;
      const folder = relative(root, resolve(root, file, '..', target)).split('/')[0]!;
      return !allowed.includes(folder);
    });
    expect(strays).toEqual([]);
  });

  test('loads heavy packages only where they belong', () => {
    const strays = importsOf(layer).filter(({ file, target }) =>
      HEAVY_PACKAGES.some(([name, place]) => name.test(target) && !place.test(file)),
    );
    expect(strays).toEqual([]);
  });
});

/** What the first line of a file of env/ says that only Node can run; the rest of env/ runs in browsers. */
const NODE_MARK = '// Needs Node';

test('env/ needs Node only where files say so, which no others import', () => {
  const needsNode = (file: string): boolean => readFileSync(join(root, file), 'utf8').startsWith(NODE_MARK);
  const strays = importsOf('env').filter(({ file, target }) => {
    if (needsNode(file)) return false;
    if (!target.startsWith('.')) return target.startsWith('node:');
    return needsNode(relative(root, resolve(root, file, '..', target)).replace(/\.js$/, '.ts'));
  });
  expect(strays).toEqual([]);
  expect(needsNode('env/environments/vector/process-vector-env.ts')).toBe(true);
});

test('agents/ needs neither Node nor a package but zod: it runs in browsers', () => {
  const strays = importsOf('agents').filter(({ target }) => !target.startsWith('.') && target !== 'zod');
  expect(strays).toEqual([]);
});

test('the check sees imports at all', () => {
  expect(importsOf('env')).toContainEqual({
    file: 'env/random.ts',
    target: 'pure-rand/distribution/uniformInt',
  });
});
