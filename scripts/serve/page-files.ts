import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { exists } from '../../data/files/atomic-file.js';
import { readInput } from '../../data/files/input-file.js';
import { parseJsonText } from '../../env/text/json-text.js';
import { type PageModel, type PageModelFile, PageModelList } from '../../training/export/page/page-model.js';
import { packageFile } from '../../training/inference/package-file.js';
import { ServeError } from './serve-error.js';

/** Types of the page's files by the ending of their names. Files with other endings are not served. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.onnx': 'application/octet-stream',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The ending of compressed files, which the package has in place of large ones. */
const COMPRESSED = '.br';

/** Greatest size of a decompressed file, in bytes. */
const MAX_DECOMPRESSED = 64 * 2 ** 20;

/** Files whose names change with their bytes. */
const NAMED_BY_CONTENT = /^\/(assets|models)\/.*-[\w-]{8,}\.\w+$/;

const MODEL_LIST = '/models/models.json';

/** A file of the page. */
export interface PageFile {
  readonly type: string;
  /** Whether its name changes with its bytes, so that browsers may keep it. */
  readonly isImmutable: boolean;
  readonly bytes: Uint8Array;
}

/** The files of the page by their paths in its address, `/` for the page itself. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** The folder of the built page in this package. */
export function pageFolder(): string {
  return packageFile('web', 'dist');
}

/** @throws ServeError `page-damaged`. */
function decompressed(file: string, bytes: Uint8Array): Uint8Array {
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: MAX_DECOMPRESSED });
  } catch (error) {
    throw new ServeError('page-damaged', `expected a file compressed by Brotli, at most 64 MiB: ${file}`, {
      cause: error,
    });
  }
}

function typeOf(path: string): string | undefined {
  return CONTENT_TYPES[extname(path)];
}

/**
 * Reads the files of a built page: regular files only, so that no link leads out of the folder. Afterwards no request
 * opens a file.
 *
 * @throws ServeError `page-missing`, `page-damaged`; DataError `file-unreadable`, `file-too-large`.
 */
export async function readPage(folder: string): Promise<PageFiles> {
  const missing = (): ServeError =>
    new ServeError('page-missing', `expected the built page at ${folder}; build it with npm run build:web`);
  if (!(await exists(folder))) throw missing();
  const files = new Map<string, PageFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const isCompressed = file.endsWith(COMPRESSED);
    const plain = isCompressed ? file.slice(0, -COMPRESSED.length) : file;
    const path = `/${relative(folder, plain).split(sep).join('/')}`;
    const type = typeOf(path);
    if (!entry.isFile() || type === undefined || (isCompressed && (await exists(plain)))) continue;
    const read = await readInput(file, 'pageFile');
    const bytes = isCompressed ? decompressed(file, read) : read;
    files.set(path, { type, isImmutable: NAMED_BY_CONTENT.test(path), bytes });
  }
  const start = files.get('/index.html');
  if (start === undefined) throw missing();
  files.set('/', start);
  return files;
}

/**
 * The list of the models of a page, written by its build.
 *
 * @throws ServeError `page-damaged`.
 */
function modelsOf(files: PageFiles): readonly PageModel[] {
  const list = files.get(MODEL_LIST);
  if (list === undefined) return [];
  try {
    return PageModelList.parse(parseJsonText(Buffer.from(list.bytes).toString())).models;
  } catch (error) {
    throw new ServeError('page-damaged', `expected a list of the page's models: ${MODEL_LIST}`, {
      cause: error,
    });
  }
}

/**
 * The page with another model for its game and rules, or with a further one.
 *
 * @throws ServeError `page-damaged` if its list of models cannot be read.
 */
export function withModel(files: PageFiles, { model, bytes }: PageModelFile): PageFiles {
  const others = modelsOf(files).filter(({ game, rules }) => game !== model.game || rules !== model.rules);
  const list = Buffer.from(`${JSON.stringify({ models: [model, ...others] })}\n`);
  return new Map([
    ...files,
    [MODEL_LIST, { type: CONTENT_TYPES['.json']!, isImmutable: false, bytes: list }],
    [`/models/${model.file}`, { type: CONTENT_TYPES['.onnx']!, isImmutable: true, bytes }],
  ]);
}
