import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  countFloors,
  fileGraph,
  findCircle,
  importsOf,
  loadedWith,
  roomGraph,
  sourceFiles,
} from './package/import-graph.js';

/** The layers that each layer may import (docs/explanation/architecture.md, "Layers"). */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  env: ['env'],
  data: ['data', 'env'],
  agents: ['agents', 'env'],
  session: ['session', 'env', 'data', 'agents'],
  training: ['training', 'env', 'data', 'agents'],
  scripts: ['scripts', 'env', 'data', 'agents', 'session', 'training'],
  // Its build runs in Node and reads the models; what the browser loads cannot import Node's modules.
  web: ['web', 'env', 'data', 'agents', 'session', 'training'],
};

/** Optional packages, and the files that may import them, for their types too. */
const OPTIONAL_PACKAGES: readonly (readonly [RegExp, RegExp])[] = [
  [/^@tensorflow\//, /^(training\/|web\/rooms\/laboratory\/browser-tensorflow\.ts$)/],
  [/^apache-arrow$/, /^data\/files\/arrow-library\.ts$/],
  [/^hyparquet/, /^data\/datasets\/parquet-library\.ts$/],
  [/^onnxruntime-/, /^(training\/inference\/(onnx|wasm)-session|web\/engine\/web-session)\.ts$/],
  [/^@sabaki\/sgf/, /^data\/records\/sgf-tree\.ts$/],
  [/^onnx-buf|^@bufbuild\/protobuf$/, /^training\/network\/onnx\/onnx-library\.ts$/],
  [/^@bufbuild\/protobuf\//, /^training\/run\/tensorboard\/event-file\.ts$/],
  [/^echarts/, /^scripts\/report\/charts-svg\.ts$/],
  [/^@nats-io\//, /^training\/workers\/pool\/wire\/(?:tcp\/nats-node|nats)-library\.ts$/],
  [/^yauzl/, /^training\/tensorflow\/native\/tensorflow-library\.ts$/],
];

/** Files that read others by themselves, and why not by `data/files/input-file.ts`. */
const OWN_READERS: Readonly<Record<string, string>> = {
  'data/files/input-file.ts': 'the module itself',
  'data/files/atomic-file.ts': 'writes, and opens folders',
  'data/files/growing-file.ts': 'appends',
  'data/files/process-identity.ts': '/proc',
  'env/environments/conformance/playthrough-file.ts': 'env/ cannot import data/; regular files only',
  'scripts/main.ts': '/dev/null',
  'training/tensorflow/native/platform.ts': '/proc',
  'training/tensorflow/native/sealed-folder.ts': 'syncs what it has written',
};

/** Rooms of a folder: its files and sub-folders. A floor is as high as the longest chain of imports below it. */
const MAX_ROOMS = 20;
const MAX_FLOORS = 10;

/** A folder with one file a command. */
const COMMANDS = 'scripts/commands';
/** Folders whose parts are to be understood at a glance. */
const SHALLOW_FOLDERS = [...Object.keys(LAYERS), 'env/environments', 'env/quess'];

const root = resolve(import.meta.dirname, '..');
const importsByLayer = new Map(Object.keys(LAYERS).map((layer) => [layer, importsOf(layer)]));
const allImports = [...importsByLayer.values()].flat();
const allFiles = Object.keys(LAYERS).flatMap(sourceFiles);
const files = fileGraph(allFiles, allImports);
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

describe.each(Object.entries(LAYERS))('%s/', (layer, allowed) => {
  const imports = importsByLayer.get(layer)!;

  test('imports only from the layers below it', () => {
    const strays = imports.filter(
      ({ source }) => source !== null && !allowed.includes(source.split('/')[0]!),
    );
    expect(strays).toEqual([]);
  });

  test('imports each optional package in its one place', () => {
    const strays = imports.filter(({ file, target }) =>
      OPTIONAL_PACKAGES.some(([name, place]) => name.test(target) && !place.test(file)),
    );
    expect(strays).toEqual([]);
  });
});

test('no file imports itself through others, for types neither', () => {
  expect(findCircle(files)).toBeNull();
});

/** All folders with source files of the layers. */
const folders = [
  ...new Set(
    allFiles.flatMap((file) =>
      file
        .split('/')
        .slice(0, -1)
        .map((_, depth, path) => path.slice(0, depth + 1).join('/')),
    ),
  ),
].sort();

test.each(folders)('the rooms of %s/ are few and have no circles', (folder) => {
  const rooms = roomGraph(folder, files);
  expect(findCircle(rooms)).toBeNull();
  if (folder !== COMMANDS) expect([...rooms.keys()].length).toBeLessThanOrEqual(MAX_ROOMS);
});

test.each(SHALLOW_FOLDERS)('the rooms of %s/ are on few floors', (folder) => {
  expect(countFloors(roomGraph(folder, files))).toBeLessThanOrEqual(MAX_FLOORS);
});

test('files are opened for reading by one module', () => {
  const opens = /\b(?:readFile|readFileSync|createReadStream|openSync|open|openAsBlob)\b[^;]*from 'node:fs/;
  const readers = allFiles.filter(
    (file) => /import \{[^}]*\}/.test(textOf(file)) && opens.test(textOf(file)),
  );
  expect(readers.filter((file) => !(file in OWN_READERS))).toEqual([]);
});

test('JSON texts are parsed by one module', () => {
  // Those of other programs, that is: benchmarks read their own output, and a copy of a value is no text.
  const isOwn = (line: string): boolean => /^ *(?:\*|\/\/)|JSON\.parse\(JSON\.stringify\(/.test(line);
  const parses = allFiles.filter((file) =>
    textOf(file)
      .split('\n')
      .some((line) => line.includes('JSON.parse(') && !isOwn(line)),
  );
  const others = parses.filter((file) => !file.startsWith('scripts/benchmarks/'));
  expect(others).toEqual(['env/text/json-text.ts']);
});

test('no two source files have one name', () => {
  const names = allFiles.map((file) => file.split('/').at(-1)!);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const testFiles = sourceFiles('test');
const testFolders = [...new Set(testFiles.map((file) => dirname(file)))].sort();

test.each(testFolders)('%s/ has few entries', (folder) => {
  expect(readdirSync(join(root, folder)).length).toBeLessThanOrEqual(MAX_ROOMS);
});

test('no two test files have one name', () => {
  const names = testFiles.map((file) => basename(file));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

/** First line of the files of env/ that only Node can run; the rest of env/ runs in browsers. */
const NODE_MARK = '// Needs Node';

test('env/ needs Node only in marked files, which no others import', () => {
  const needsNode = (file: string): boolean => textOf(file).startsWith(NODE_MARK);
  const strays = importsByLayer
    .get('env')!
    .filter(
      ({ file, target, source }) =>
        !needsNode(file) && (source === null ? target.startsWith('node:') : needsNode(source)),
    );
  expect(strays).toEqual([]);
  expect(needsNode('env/environments/vector/process-vector-env.ts')).toBe(true);
});

test('agents/ needs neither Node nor a package but zod: it runs in browsers', () => {
  const strays = importsByLayer
    .get('agents')!
    .filter(({ target, source }) => source === null && !/^zod(\/mini)?$/.test(target));
  expect(strays).toEqual([]);
});

test.each([
  'main',
  'commands/positions/show-command',
  'commands/positions/perft-command',
  'commands/serving/env-server-command',
])('scripts/%s.ts is loaded without an optional package', (name) => {
  const loaded = [...loadedWith(`scripts/${name}.ts`, allImports)];
  const loaders = loaded.filter((file) => textOf(file).includes('await loadOptional('));
  expect(loaders).toEqual([]);
  expect(loaded).toContain('env/errors.ts');
});

test('the check sees imports of packages, of files, of types, and those that are loaded later', () => {
  const imports = [...importsByLayer.get('env')!, ...importsByLayer.get('scripts')!];
  expect(imports).toEqual(
    expect.arrayContaining([
      {
        file: 'env/random.ts',
        target: 'pure-rand/distribution/uniformInt',
        source: null,
        isLoaded: true,
      },
      { file: 'scripts/main.ts', target: './program.js', source: 'scripts/program.ts', isLoaded: true },
      {
        file: 'scripts/program.ts',
        target: './commands/positions/show-command.js',
        source: 'scripts/commands/positions/show-command.ts',
        isLoaded: false,
      },
      {
        file: 'env/definition/turned-planes.ts',
        target: '../game.js',
        source: 'env/game.ts',
        isLoaded: false,
      },
    ]),
  );
  expect(
    findCircle(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set(['a'])],
      ]),
    ),
  ).toEqual(['a', 'b', 'a']);
  expect(
    countFloors(
      new Map([
        ['a', new Set(['b'])],
        ['b', new Set<string>()],
      ]),
    ),
  ).toBe(2);
});
