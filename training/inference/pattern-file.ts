import { dirname, join } from 'node:path';
import * as z from 'zod';
import { AgentError } from '../../agents/agent-error.js';
import { DataError } from '../../data/data-error.js';
import { exists, makeFolder } from '../../data/files/atomic-file.js';
import { readWithManifest, writeWithManifest, expectKnownVersion } from '../../data/files/manifest.js';
import type { Evaluation } from '../../env/definition/evaluation.js';
import type { Game } from '../../env/game.js';
import { PatternEvaluation } from '../../env/gess/heuristics/patterns/pattern-evaluation.js';
import {
  decodePatternWeights,
  encodePatternWeights,
  PATTERN_BYTES,
  type PatternWeights,
} from '../../env/gess/heuristics/patterns/pattern-weights.js';
import { validate } from '../../env/problems-text.js';
import { suggestShipped } from '../../env/text/nearest-name.js';
import { quote } from '../../env/text/quoted-text.js';
import { patternsFolder } from './package-models.js';

/** Kind of the manifest of a pattern network. */
export const PATTERN_KIND = 'pattern-network';
/** Files of the folder of a pattern network. */
const PATTERN_FILES = { manifest: 'manifest.json', weights: 'patterns.bin' } as const;

/** Newest version of the weights that this program reads. */
const PATTERN_VERSION = 1;

/** The details in the manifest of a pattern network. */
const PatternDetails = z.object({
  /** Version of the format of the weights. */
  patternVersion: z.literal(PATTERN_VERSION),
  game: z.strictObject({ id: z.string(), rules: z.string(), rulesVersion: z.int() }),
  /** Positions learnt. */
  positions: z.int().min(0),
  /** SHA-256 of the weights that it started from; null: random ones. */
  startedFrom: z.string().nullable().default(null),
  /** Mean squared error of the value on held-back positions, and their number. */
  heldBack: z.strictObject({ positions: z.int().min(0), error: z.number().min(0) }),
  softwareVersion: z.string(),
});
/** See the schema `PatternDetails`. */
export type PatternDetails = z.infer<typeof PatternDetails>;

/** Path of the weights in the folder of a pattern network. */
export function patternWeightsPath(folder: string): string {
  return join(folder, PATTERN_FILES.weights);
}

/**
 * Refuses a folder that has a pattern network.
 *
 * @throws DataError `file-exists`.
 */
export async function expectNoPatternNetwork(folder: string): Promise<void> {
  if (!(await exists(join(folder, PATTERN_FILES.manifest)))) return;
  throw new DataError(
    'file-exists',
    `expected no pattern network in ${quote(folder)}: choose another folder, or remove it`,
  );
}

/**
 * Writes a pattern network to a folder: its weights, then a manifest.
 *
 * @throws DataError `disk-full`, `write-failed`.
 */
export async function writePatternNetwork(
  folder: string,
  weights: PatternWeights,
  details: PatternDetails,
): Promise<void> {
  await makeFolder(folder);
  const contents = new Map([[PATTERN_FILES.weights, encodePatternWeights(weights)]]);
  await writeWithManifest(join(folder, PATTERN_FILES.manifest), contents, { kind: PATTERN_KIND, details });
}

/**
 * Reads the folder of a pattern network of any game.
 *
 * @throws DataError `manifest-missing`, `manifest-damaged`, `manifest-too-new`, `file-cut`, `file-altered`,
 *   `file-missing`, `file-unreadable`, `file-too-large`.
 */
async function readPatternFiles(
  folder: string,
): Promise<{ readonly details: PatternDetails; readonly bytes: Buffer }> {
  const path = join(folder, PATTERN_FILES.manifest);
  const { manifest, contents } = await readWithManifest(path, PATTERN_KIND);
  expectKnownVersion(path, manifest.details, { name: 'pattern', newest: PATTERN_VERSION });
  const refuse = (problem: string): DataError =>
    new DataError('manifest-damaged', `expected a pattern network in ${path}: ${problem}`);
  const details = validate(PatternDetails, manifest.details, refuse);
  const bytes = contents.get(PATTERN_FILES.weights);
  if (bytes === undefined) throw refuse(`expected the file ${PATTERN_FILES.weights}, found none`);
  if (bytes.length !== PATTERN_BYTES) {
    throw refuse(`expected ${PATTERN_BYTES} bytes in ${PATTERN_FILES.weights}, found ${bytes.length}`);
  }
  return { details, bytes };
}

/**
 * Checks a pattern network of any game: all weights of the right size are valid.
 *
 * @param path of its manifest.
 * @throws DataError as `readPatternNetwork`; `manifest-missing`.
 */
export async function checkPatternNetwork(path: string): Promise<void> {
  await readPatternFiles(dirname(path));
}

/**
 * Reads the weights of a pattern network.
 *
 * @throws AgentError `model-missing`; `model-mismatch` if it is of another game or of other rules.
 * @throws DataError `manifest-damaged`, `manifest-too-new`, `file-cut`, `file-altered`, `file-missing`,
 *   `file-unreadable`, `file-too-large`.
 */
export async function readPatternNetwork(folder: string, game: Game<unknown>): Promise<PatternWeights> {
  if (!(await exists(join(folder, PATTERN_FILES.manifest)))) {
    throw new AgentError(
      'model-missing',
      `expected the folder of a pattern network for ${game.id} at ${quote(folder)}, found no ${PATTERN_FILES.manifest} there` +
        suggestShipped(folder, ['gess']),
    );
  }
  const { details, bytes } = await readPatternFiles(folder);
  const { id, rules, rulesVersion } = details.game;
  if (id !== game.id || rules !== game.rules || rulesVersion !== game.rulesVersion) {
    throw new AgentError(
      'model-mismatch',
      `expected a pattern network of ${game.id} ${game.rules} version ${game.rulesVersion}, ` +
        `${quote(folder)} is of ${id} ${rules} version ${rulesVersion}`,
    );
  }
  return decodePatternWeights(bytes);
}

/**
 * Opens the evaluation of a pattern network. `createAgent(text, game, { openEvaluation: openPatternNetwork })` creates
 * agents with one in Node.
 *
 * @param path the folder of a pattern network, or the name of one that the package ships: `gess`.
 * @throws errors of `readPatternNetwork`.
 */
export async function openPatternNetwork<State>(path: string, game: Game<State>): Promise<Evaluation<State>> {
  const weights = await readPatternNetwork(patternsFolder(path), game);
  // The identity of the game says that its positions are those of Gess.
  return new PatternEvaluation(game.rules, weights) as unknown as Evaluation<State>;
}
