import { createHash } from 'node:crypto';
import { lstatSync, readlinkSync, symlinkSync } from 'node:fs';
import { mkdir, readdir, readlink, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { temporaryPath, writeFailure } from '../../../data/files/atomic-file.js';
import { readInput } from '../../../data/files/input-file.js';
import { whileUnfinished } from '../../../data/files/unfinished-paths.js';
import { TrainingError } from '../../training-error.js';
import { expectTrustedPaths } from './cache-trust.js';
import { makeSealedFolder } from './sealed-folder.js';
import { libraryFolder, TENSORFLOW_LIBRARIES } from './tensorflow-library.js';
import { findCompiler, lastLines, runCommand } from './toolchain.js';
import { TENSORFLOW_WHEEL } from './wheel.js';

/** Name of the binding in its folder of the cache and in the package. */
export const BINDING_NAME = 'tfjs_binding.node';

/** Version of Node-API that the binding requires; Node has it since 12.22. */
const NAPI_VERSION = 8;

/** The flags of the package's own `binding.gyp`, and the language version of TensorFlow's headers. */
const COMPILER_FLAGS = [
  ...['-std=c++17', '-O2', '-fPIC', '-shared', '-fvisibility=hidden', '-w'],
  `-DNAPI_VERSION=${NAPI_VERSION}`,
];

/** Folders of the binding's package and of the headers with which it is compiled. */
export interface BindingSources {
  /** The folder of `@tensorflow/tfjs-node`. */
  readonly packageFolder: string;
  /** Headers of Node-API, from the package `node-api-headers`. */
  readonly headersFolder: string;
}

/** The folder of the installed `@tensorflow/tfjs-node`. */
export function installedPackage(): string {
  return dirname(createRequire(import.meta.url).resolve('@tensorflow/tfjs-node/package.json'));
}

/** The packages installed with this program. */
export function installedSources(): BindingSources {
  const require = createRequire(import.meta.url);
  return {
    packageFolder: installedPackage(),
    headersFolder: join(dirname(require.resolve('node-api-headers/package.json')), 'include'),
  };
}

async function sourceFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.sort().map((name) => join(folder, name));
}

/**
 * The sealed folder in the cache of the binding that is compiled from these sources for a library. Its name depends on
 * the sources, so that checkouts of different versions do not interfere.
 */
export async function bindingFolder(sources: BindingSources, library: string): Promise<string> {
  const hash = createHash('sha256').update([basename(library), ...COMPILER_FLAGS].join('\n'));
  const folders = [join(sources.packageFolder, 'binding'), sources.headersFolder];
  for (const path of (await Promise.all(folders.map(sourceFiles))).flat()) {
    hash.update(`\n${basename(path)}\n`).update(await readInput(path, 'library'));
  }
  return join(dirname(library), `tfjs-binding-${hash.digest('hex').slice(0, 12)}`);
}

/**
 * Compiles the binding into the cache; an existing folder is replaced. The binding loads TensorFlow's libraries from
 * the library's folder beside its own.
 *
 * @param folder from `bindingFolder`.
 * @throws TrainingError `compiler-missing`, `binding-failed`.
 */
export async function compileBinding(
  folder: string,
  options: {
    readonly sources: BindingSources;
    readonly library: string;
    readonly env: NodeJS.ProcessEnv;
  },
): Promise<void> {
  const { sources, library, env } = options;
  const compiler = await findCompiler(env);
  if (compiler === null) {
    throw new TrainingError(
      'compiler-missing',
      `expected a C++ compiler (${env['CXX'] ?? 'c++, g++ or clang++'}), to compile the binding of ` +
        'TensorFlow; found none. On Debian or Ubuntu: apt-get install g++',
    );
  }
  const files = await sourceFiles(join(sources.packageFolder, 'binding'));
  await makeSealedFolder(folder, async (content) => {
    const args = [
      ...COMPILER_FLAGS,
      ...[`-I${join(library, 'include')}`, `-I${sources.headersFolder}`],
      ...files.filter((path) => path.endsWith('.cc')),
      ...TENSORFLOW_LIBRARIES.map((name) => join(library, name)),
      `-Wl,-rpath,$ORIGIN/../${basename(library)}`,
      ...['-o', bindingFile(content)],
    ];
    const result = await runCommand(compiler.tool, args, env);
    if (result?.exitCode === 0) return;
    throw new TrainingError(
      'binding-failed',
      `${compiler.tool.join(' ')} (${compiler.version}) cannot compile the binding of TensorFlow: ` +
        lastLines(result?.output ?? '', 8),
    );
  });
}

/** Path of the binding in its folder of the cache. */
export function bindingFile(folder: string): string {
  return join(folder, BINDING_NAME);
}

/** Path from which `@tensorflow/tfjs-node` loads its binding. */
export function bindingLink({ packageFolder }: Pick<BindingSources, 'packageFolder'>): string {
  return join(packageFolder, 'lib', `napi-v${NAPI_VERSION}`, BINDING_NAME);
}

/** Whether the package's binding links to the one in a folder of the cache. */
export async function isLinked(sources: BindingSources, folder: string): Promise<boolean> {
  const target = await readlink(bindingLink(sources)).catch(() => null);
  return target === bindingFile(folder);
}

/**
 * Checks the cached files whose code would run with the package's binding; called before the binding is loaded.
 *
 * @throws TrainingError `cache-untrusted` if other users can change one of them.
 */
export function expectTrustedBinding(packageFolder: string): void {
  const link = bindingLink({ packageFolder });
  // A binding that another installer made is part of the package.
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  const binding = resolve(dirname(link), readlinkSync(link));
  const cache = dirname(dirname(binding));
  const library = libraryFolder(cache, TENSORFLOW_WHEEL);
  const libraries = TENSORFLOW_LIBRARIES.map((name) => join(library, name));
  expectTrustedPaths([cache, dirname(binding), binding, library, ...libraries]);
}

/**
 * Links the package's binding to the one in a folder of the cache; an existing binding is replaced.
 *
 * @throws DataError `write-failed`, `disk-full`.
 */
export async function linkBinding(sources: BindingSources, folder: string): Promise<void> {
  const link = bindingLink(sources);
  const temporary = temporaryPath(link);
  try {
    await mkdir(dirname(link), { recursive: true });
    await whileUnfinished(temporary, async () => {
      symlinkSync(bindingFile(folder), temporary);
      await rename(temporary, link);
    });
  } catch (error) {
    throw writeFailure(link, error);
  }
}
