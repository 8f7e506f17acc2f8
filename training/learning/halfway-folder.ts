import { join } from 'node:path';
import * as z from 'zod';
import {
  exists,
  makeFolder,
  removeFolderAtomic,
  removeStaleTemporaries,
  writeFolderAtomic,
} from '../../data/files/atomic-file.js';
import { namesIfThere } from '../../data/folder-reader.js';
import { readManifest, readWithManifest, writeWithManifest } from '../../data/files/manifest.js';
import { validate } from '../../env/problems-text.js';
import { Counter } from '../checkpoints/checkpoint-details.js';
import { TrainingError } from '../training-error.js';
import { decodeFloats, littleEndian } from '../network/little-endian.js';
import type { LearnerSaving } from './learner.js';
import { LearnerCounters, type LearnerSnapshot } from './learner-snapshot.js';

/** Kind of the manifest of a saved learner. */
export const LEARNER_KIND = 'learner';
/** Version of the folders; other versions are not read. */
const LEARNER_VERSION = 1;
const MANIFEST_FILE = 'manifest.json';
const FILES = { weights: 'weights.bin', optimizer: 'optimizer.bin', gradient: 'gradient.bin' } as const;
const AVERAGE_FILE = 'average.bin';

/** Identifies the generation and configuration that a saved learner belongs to; no other can resume from it. */
const Learning = z.strictObject({
  generation: z.int().min(1),
  /** Steps of the whole generation. */
  steps: z.int().min(1),
  /** SHA-256 of the run's configuration. */
  configDigest: z.string(),
});
type Learning = z.infer<typeof Learning>;

const Details = z
  .strictObject({
    learnerVersion: z.literal(LEARNER_VERSION),
    learning: Learning,
    /** Steps of the optimiser in the whole run. */
    optimizerStep: Counter.min(1),
    counters: LearnerCounters,
  })
  .refine(({ learning, counters }) => counters.step <= learning.steps, {
    error: 'expected no more steps than those of the whole generation',
    path: ['counters', 'step'],
  });

function damaged(path: string, reason: string): TrainingError {
  return new TrainingError('checkpoint-damaged', `expected a half-learnt generation in ${path}: ${reason}`);
}

/** The folders of saved learners in `folder`, the latest first. */
async function saved(folder: string): Promise<readonly string[]> {
  const names = await namesIfThere(folder);
  const steps = names.flatMap((name) => /^step-(\d+)$/.exec(name)?.[1] ?? []);
  return steps.sort((a, b) => Number(b) - Number(a)).map((step) => join(folder, `step-${step}`));
}

/**
 * Reads a saved learner.
 *
 * @param path folder of its manifest.
 * @throws DataError for missing or altered files.
 * @throws TrainingError `checkpoint-damaged`.
 */
export async function readSavedLearner(
  path: string,
): Promise<{ readonly learning: Learning; readonly snapshot: LearnerSnapshot }> {
  const { manifest, contents } = await readWithManifest(join(path, MANIFEST_FILE), LEARNER_KIND);
  const {
    learning,
    counters,
    optimizerStep: step,
  } = validate(Details, manifest.details, (problems) => damaged(path, problems));
  const floats = (name: string): Float32Array => {
    const content = contents.get(name);
    if (content === undefined) throw damaged(path, `its manifest does not name ${name}`);
    return decodeFloats(content);
  };
  const weights = floats(FILES.weights);
  const moments = floats(FILES.optimizer);
  const gradient = floats(FILES.gradient);
  const average = contents.has(AVERAGE_FILE) ? floats(AVERAGE_FILE) : null;
  const lengths = [moments.length / 2, gradient.length, average?.length ?? weights.length];
  if (lengths.some((length) => length !== weights.length)) throw damaged(path, 'files of different networks');
  const optimizer = {
    step,
    firstMoment: moments.subarray(0, weights.length),
    secondMoment: moments.subarray(weights.length),
  };
  return { learning, snapshot: { counters, weights, optimizer, average, gradient } };
}

/** The newest learner in `folder`, if it belongs to `learning`; else null. */
async function findSavedLearner(folder: string, learning: Learning): Promise<LearnerSnapshot | null> {
  const [latest] = await saved(folder);
  if (latest === undefined) return null;
  const { learning: found, snapshot } = await readSavedLearner(latest);
  const isSame = (Object.keys(learning) as (keyof Learning)[]).every((key) => found[key] === learning[key]);
  return isSame ? snapshot : null;
}

/** An unfinished generation. */
export interface HalfLearnt {
  readonly generation: number;
  /** Steps taken. */
  readonly step: number;
  /** Steps of the whole generation. */
  readonly steps: number;
}

/**
 * The unfinished generation that was saved last in `folder`; null if there is none.
 *
 * @throws DataError as `readManifest` does.
 */
export async function findHalfLearnt(folder: string): Promise<HalfLearnt | null> {
  const [latest] = await saved(folder);
  if (latest === undefined) return null;
  const { details } = await readManifest(join(latest, MANIFEST_FILE), LEARNER_KIND);
  const { data } = Details.safeParse(details);
  if (data === undefined) return null;
  const { generation, steps } = data.learning;
  return { generation, step: data.counters.step, steps };
}

/** Saves a learner in `folder`, atomically; removes earlier ones. */
async function saveLearner(
  folder: string,
  learning: Learning,
  { counters, weights, optimizer, average, gradient }: LearnerSnapshot,
): Promise<void> {
  const path = join(folder, `step-${String(counters.step).padStart(6, '0')}`);
  await makeFolder(folder);
  await removeStaleTemporaries(folder);
  const before = await saved(folder);
  const contents = new Map<string, Uint8Array>([
    [FILES.weights, littleEndian(weights)],
    [FILES.optimizer, littleEndian(optimizer.firstMoment, optimizer.secondMoment)],
    [FILES.gradient, littleEndian(gradient)],
    ...(average === null ? [] : ([[AVERAGE_FILE, littleEndian(average)]] as const)),
  ]);
  const details: z.infer<typeof Details> = {
    learnerVersion: LEARNER_VERSION,
    learning,
    optimizerStep: optimizer.step,
    counters,
  };
  // A save of another generation or configuration, which was not resumed.
  if (await exists(path)) await removeFolderAtomic(path);
  await writeFolderAtomic(path, async (temporary) => {
    await writeWithManifest(join(temporary, MANIFEST_FILE), contents, { kind: LEARNER_KIND, details });
  });
  for (const old of before) if (old !== path) await removeFolderAtomic(old);
}

/**
 * Resumes learning from the newest save in `folder`, if there is one, and saves the learner there every `every` steps.
 *
 * @throws DataError, TrainingError as `readSavedLearner` does; `saving` throws DataError `disk-full`, `write-failed`.
 */
export async function resumeLearning(
  folder: string,
  learning: Learning,
  every: number,
): Promise<{ readonly halfway: LearnerSnapshot | undefined; readonly saving: LearnerSaving }> {
  return {
    halfway: (await findSavedLearner(folder, learning)) ?? undefined,
    saving: { every, save: (snapshot) => saveLearner(folder, learning, snapshot) },
  };
}

/**
 * Removes the saved learners in `folder`.
 *
 * @throws DataError `write-failed`.
 */
export async function removeSavedLearner(folder: string): Promise<void> {
  await removeFolderAtomic(folder);
}
