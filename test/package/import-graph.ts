import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..', '..');

/** An import or re-export in a source file. */
export interface Import {
  /** Path from the root of the repository. */
  readonly file: string;
  /** The import's target as written: a package or a relative path. */
  readonly target: string;
  /** Path of the imported source file from the root; null for a package. */
  readonly source: string | null;
  /** Whether the module is loaded with the importing file: not by `import type` or `import()`. */
  readonly isLoaded: boolean;
}

/** Targets of the imports that load their module with the file. */
function loadedTargets(text: string): ReadonlySet<string> {
  const { statements } = ts.createSourceFile('file.ts', text, ts.ScriptTarget.ES2023);
  const targets = statements.flatMap((statement) => {
    const isType = ts.isImportDeclaration(statement)
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : ts.isExportDeclaration(statement) && statement.isTypeOnly;
    if (isType || !(ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))) return [];
    const { moduleSpecifier } = statement;
    return moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? [moduleSpecifier.text] : [];
  });
  return new Set(targets);
}

/** Paths from the root of all source files below a folder. */
export function sourceFiles(folder: string): readonly string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => name.endsWith('.ts') && !/^dist\/|(^|\/)node_modules\//.test(name))
    .map((name) => join(folder, name));
}

/** All imports of a folder's source files. */
export function importsOf(folder: string): readonly Import[] {
  return sourceFiles(folder).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const loaded = loadedTargets(text);
    return ts.preProcessFile(text).importedFiles.map(({ fileName: target }) => ({
      file,
      target,
      source: target.startsWith('.') ? join(dirname(file), target).replace(/\.js$/, '.ts') : null,
      isLoaded: loaded.has(target),
    }));
  });
}

/** Nodes and the nodes that each depends on. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The files of these imports, each with the files that it imports. */
export function fileGraph(files: readonly string[], imports: readonly Import[]): Graph {
  const graph = new Map(files.map((file) => [file, new Set<string>()]));
  for (const { file, source } of imports) if (source !== null) graph.get(file)?.add(source);
  return graph;
}

/** The rooms of a folder, which are its files and sub-folders, each with the other rooms that it imports. */
export function roomGraph(folder: string, files: Graph): Graph {
  const roomOf = (file: string): string | undefined =>
    file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split('/')[0] : undefined;
  const rooms = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    const room = roomOf(file);
    if (room === undefined) continue;
    const others = rooms.get(room) ?? new Set<string>();
    rooms.set(room, others);
    for (const other of [...targets].map(roomOf))
      if (other !== undefined && other !== room) others.add(other);
  }
  return rooms;
}

/** A circle of dependencies, its first node repeated at the end; null if there is none. */
export function findCircle(graph: Graph): readonly string[] | null {
  const finished = new Set<string>();
  const visit = (node: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (finished.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle !== null) return circle;
    }
    finished.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle !== null) return circle;
  }
  return null;
}

/** Number of nodes on the longest path of a graph without circles. */
export function countFloors(graph: Graph): number {
  const floors = new Map<string, number>();
  const floorOf = (node: string): number => {
    const known = floors.get(node);
    if (known !== undefined) return known;
    const floor = 1 + Math.max(0, ...[...(graph.get(node) ?? [])].map(floorOf));
    floors.set(node, floor);
    return floor;
  };
  return Math.max(...[...graph.keys()].map(floorOf));
}

/** The files that are loaded with a file, including the file itself. */
export function loadedWith(file: string, imports: readonly Import[]): ReadonlySet<string> {
  const seen = new Set([file]);
  for (const each of seen)
    for (const { source, isLoaded } of imports.filter((other) => other.file === each))
      if (isLoaded && source !== null) seen.add(source);
  return seen;
}
