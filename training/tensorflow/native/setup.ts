import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeFolder } from '../../../data/files/atomic-file.js';
import { DataError, systemErrorCode } from '../../../data/data-error.js';
import { lockFolder, type Lock } from '../../../data/files/lock.js';
import { TrainingError } from '../../training-error.js';
import {
  BINDING_NAME,
  bindingFile,
  bindingFolder,
  bindingLink,
  compileBinding,
  installedSources,
  isLinked,
  linkBinding,
  type BindingSources,
} from './binding.js';
import { cacheFolder } from './cache-folder.js';
import { cacheWriteFailure, expectTrustedPaths } from './cache-trust.js';
import { currentPlatform, requireSupportedPlatform } from './platform.js';
import { probeBinding } from './probe.js';
import type { SetupObserver } from './setup-progress.js';
import { isSealed, removePartialFolders, type SealCheck } from './sealed-folder.js';
import { installLibrary, libraryFolder, TENSORFLOW_LIBRARIES } from './tensorflow-library.js';
import { TENSORFLOW_WHEEL, type Wheel } from './wheel.js';

/** Longest wait for another set-up; a download of the library takes less. */
const MAX_WAIT_MS = 20 * 60_000;
const LOOK_EVERY_MS = 250;

/** Settings of a set-up; all but `observe` have defaults. */
export interface SetupOptions {
  readonly observe: SetupObserver;
  /** Depth of the check of the cache; by default `sizes`. */
  readonly check?: SealCheck;
  /** By default `cacheFolder(env)`. */
  readonly cache?: string;
  /** By default `installedSources()`. */
  readonly sources?: BindingSources;
  /** By default `TENSORFLOW_WHEEL`. */
  readonly wheel?: Wheel;
  /** Environment variables of pip and the compiler; by default those of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** The result of a set-up. */
export interface SetupReport {
  /** The steps that were needed, in order; empty if everything was already set up. */
  readonly done: readonly ('library' | 'binding' | 'link')[];
  /** TensorFlow's version according to its library; null if no step was needed, in which case nothing was tried. */
  readonly tensorflow: string | null;
  readonly cache: string;
  /** Folder of TensorFlow's libraries. */
  readonly library: string;
  /** The binding that `@tensorflow/tfjs-node` loads. */
  readonly binding: string;
}

/** The settings of a set-up, with defaults filled in. */
type SetupPlan = Required<SetupOptions> & { readonly library: string; readonly binding: string };

async function planSetup(options: SetupOptions): Promise<SetupPlan> {
  const { observe, env = process.env, wheel = TENSORFLOW_WHEEL, check = 'sizes' } = options;
  const { cache = cacheFolder(env), sources = installedSources() } = options;
  const library = libraryFolder(cache, wheel);
  const binding = await bindingFolder(sources, library);
  return { observe, env, wheel, check, cache, sources, library, binding };
}

/** Whether the cache has the library. */
function hasLibrary({ library, check }: SetupPlan): Promise<boolean> {
  return isSealed(library, { check, needed: TENSORFLOW_LIBRARIES });
}

/** Whether the cache has the binding. */
function hasBinding({ binding, check }: SetupPlan): Promise<boolean> {
  return isSealed(binding, { check, needed: [BINDING_NAME] });
}

/** Makes the cache folder, which only its owner may write. */
async function makeCache(cache: string): Promise<void> {
  await makeFolder(dirname(cache));
  try {
    await mkdir(cache, { mode: 0o755 });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

async function lockCache({ cache, observe }: SetupPlan): Promise<Lock> {
  const start = performance.now();
  for (;;) {
    try {
      return await lockFolder(cache);
    } catch (error) {
      if (!(error instanceof DataError) || error.code !== 'run-locked') throw error;
      if (performance.now() - start > MAX_WAIT_MS) {
        throw new TrainingError('setup-busy', `waited for another set-up: ${error.message}`, {
          cause: error,
        });
      }
    }
    observe('wait', null);
    await delay(LOOK_EVERY_MS);
  }
}

/** Tries the binding before the package uses it; returns TensorFlow's version. */
async function tryBinding({ binding, observe }: SetupPlan): Promise<string> {
  observe('check', null);
  const result = await probeBinding(bindingFile(binding));
  if (result.works) return result.answer;
  throw new TrainingError(
    'setup-failed',
    `TensorFlow was built but does not run on this machine (it needs AVX): ${result.reason}`,
  );
}

/** Adds what is missing to the cache; returns the steps that were needed. */
async function fillCache(plan: SetupPlan): Promise<SetupReport['done']> {
  const { cache, wheel, library, binding, sources, env, observe } = plan;
  const done: SetupReport['done'][number][] = [];
  await makeCache(cache);
  const lock = await lockCache(plan);
  try {
    await removePartialFolders(cache);
    if (!(await hasLibrary(plan))) {
      await installLibrary(cache, wheel, { env, observe });
      done.push('library');
    }
    if (!(await hasBinding(plan))) {
      observe('compile', null);
      await compileBinding(binding, { sources, library, env });
      done.push('binding');
    }
    return done;
  } finally {
    lock.release();
  }
}

/** Tries a filled cache and links the package to it. */
async function activate(
  plan: SetupPlan,
  filled: SetupReport['done'],
): Promise<Pick<SetupReport, 'done' | 'tensorflow'>> {
  const { binding, sources } = plan;
  const done = [...filled];
  const isLinkedAlready = await isLinked(sources, binding);
  if (done.length === 0 && isLinkedAlready) return { done, tensorflow: null };
  const tensorflow = await tryBinding(plan);
  if (!isLinkedAlready) {
    await linkBinding(sources, binding);
    done.push('link');
  }
  return { done, tensorflow };
}

/**
 * Sets up native TensorFlow for `@tensorflow/tfjs-node`: downloads its library once into the user's cache folder,
 * compiles the binding, links it into the package and tries it. Finished steps are skipped, so a second set-up takes
 * milliseconds and needs no network. A set-up may be killed at any time, and several may run concurrently. A cache that
 * other users can change is refused.
 *
 * @throws TrainingError with a code of the set-up (`TrainingErrorCode`); DataError `disk-full`, `write-failed`.
 */
export async function setUpNativeTensorflow(options: SetupOptions): Promise<SetupReport> {
  requireSupportedPlatform(currentPlatform());
  const plan = await planSetup(options);
  const { cache, library, sources } = plan;
  expectTrustedPaths([cache]);
  // A complete cache is only read, since it may be shared and read-only.
  const isFilled = (await hasLibrary(plan)) && (await hasBinding(plan));
  const filled = isFilled
    ? []
    : await fillCache(plan).catch((error: unknown) => {
        throw cacheWriteFailure(cache, error);
      });
  return { ...(await activate(plan, filled)), cache, library, binding: bindingLink(sources) };
}
