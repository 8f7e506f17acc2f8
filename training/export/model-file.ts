import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { AgentError } from '../../agents/agent-error.js';
import { parseAgentSpec } from '../../agents/agent-spec.js';
import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import type { PlayOptions, Precision } from '../../agents/play-options.js';
import { exists } from '../../data/files/atomic-file.js';
import { systemErrorCode } from '../../data/data-error.js';
import { readInput } from '../../data/files/input-file.js';
import { readListedFile, readManifest } from '../../data/files/manifest.js';
import type { Game } from '../../env/game.js';
import {
  CHECKPOINT_FILES,
  CHECKPOINT_KIND,
  checkpointManifestPath,
} from '../checkpoints/checkpoint-files.js';
import { newestCheckpoint } from '../checkpoints/generation-folders.js';
import { openOnnxModel } from '../inference/onnx-session.js';
import { openWasmModel } from '../inference/wasm-session.js';
import { EXPORT_FILES } from './export-files.js';
import { readExportedFile } from './exported-file.js';
import { type ExportSpec, readSpec } from './spec-file.js';
import { quote } from '../../env/text/quoted-text.js';
import { suggestShipped } from '../../env/text/nearest-name.js';
import { shippedModel, shippedModelFile, shippedModels } from './shipped-models.js';

/** The game of a model, as its checkpoint's manifest or its export's specification names it. */
const ModelGame = z.object({
  rules: z.string(),
  rulesVersion: z.int(),
  encodingVersion: z.int(),
});

const CheckpointGame = z.object({ game: ModelGame.extend({ id: z.string() }) });

/**
 * Opens an ONNX model, checked as `readModelFile` does, with ONNX Runtime. Agents with a network are created in Node by
 * `createAgent(text, game, { openModel: openModelFile })`.
 *
 * @param path of the file, or of a checkpoint's or export's folder.
 * @param precision as `modelPath`.
 * @param isTimed as `modelPath`.
 * @throws AgentError `model-unreadable` if the file is not an ONNX model; errors of `readModelFile`.
 */
export async function openModelFile(
  path: string,
  game: Game<unknown>,
  precision?: Precision,
  isTimed?: boolean,
): Promise<InferenceSession> {
  return openFile(openOnnxModel, { path, file: await modelPath(path, precision, isTimed) }, game);
}

/**
 * Opens an ONNX model as `openModelFile` does, but with ONNX Runtime's WebAssembly build, which is slower and gives the
 * same bits on every processor.
 *
 * @throws as `openModelFile`; PackageError if ONNX Runtime's WebAssembly build is not installed.
 */
export async function openPortableModel(path: string, game: Game<unknown>): Promise<InferenceSession> {
  return openFile(openWasmModel, { path, file: await modelPath(path) }, game);
}

async function openFile(
  open: (bytes: Uint8Array, source: string) => Promise<InferenceSession>,
  { path, file }: { readonly path: string; readonly file: string },
  game: Game<unknown>,
): Promise<InferenceSession> {
  const { bytes, playOptions } = await readFound(file, game);
  const session = await open(bytes, `'${path}'`);
  if (playOptions === undefined) return session;
  const { source, inputs, outputs } = session;
  return {
    ...{ source, inputs, outputs, playOptions },
    run: (tensors) => session.run(tensors),
    dispose: () => session.dispose(),
  };
}

/**
 * The options with which the model of an ONNX file plays best, by the export's `spec.json` beside it; undefined without
 * one.
 *
 * @throws as `readSpec`.
 */
export async function playOptionsOfModel(file: string): Promise<PlayOptions | undefined> {
  return (await readSpec(join(dirname(file), EXPORT_FILES.spec)))?.play;
}

/** The bytes of an ONNX file, and the options of the export that it belongs to. Throws as `readModelFile`. */
async function readFound(
  file: string,
  game: Game<unknown>,
): Promise<{ readonly bytes: Uint8Array; readonly playOptions?: PlayOptions | undefined }> {
  const folder = dirname(file);
  const spec = await readSpec(join(folder, EXPORT_FILES.spec));
  if (spec !== null) return { bytes: await readExported(file, spec, game), playOptions: spec.play };
  const manifestPath = checkpointManifestPath(folder);
  if (!(await exists(manifestPath))) return { bytes: await readInput(file, 'model') };
  const manifest = await readManifest(manifestPath, CHECKPOINT_KIND);
  const known = CheckpointGame.safeParse(manifest.details).data?.game;
  if (known !== undefined) checkGame(file, known, game);
  return { bytes: await readListedFile(manifest, file) };
}

/**
 * Reads an ONNX model and checks it against the export's `spec.json` or the checkpoint's manifest beside it, if either
 * exists.
 *
 * @param path of the file, or of a checkpoint's or export's folder.
 * @throws AgentError `model-missing`, `model-mismatch` (of another game, other rules or encoding, or too new).
 * @throws DataError `file-cut`, `file-altered`, `manifest-damaged` (also for `spec.json`), `manifest-too-new`,
 *   `file-unreadable`, `file-too-large`.
 */
export async function readModelFile(path: string, game: Game<unknown>): Promise<Uint8Array> {
  return (await readFound(await modelPath(path), game)).bytes;
}

/** File names of the model for play in the folders of checkpoints and of exports, by precision. */
const MODELS_OF_FOLDERS: Readonly<Record<Precision, readonly [string, string]>> = {
  float32: [CHECKPOINT_FILES.float32, EXPORT_FILES.legal],
  int8: [CHECKPOINT_FILES.int8, EXPORT_FILES.int8],
};

/** The folder or file of a shipped model's name, or the path itself. */
const namedPath = (path: string): string => shippedModel(path) ?? shippedModelFile(path) ?? path;

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const code = systemErrorCode(error) ?? String(error);
    const found = code === 'ENOENT' ? 'found nothing' : `got ${code}`;
    const known = shippedModels();
    const end = suggestShipped(path, known, `; models of the package: ${known.join(', ')}`);
    const what = 'expected an ONNX file, a checkpoint or an export at';
    throw new AgentError('model-missing', `${what} ${quote(path)}, ${found}${end}`, { cause: error });
  }
}

async function modelOfFolder(folder: string, precision: Precision): Promise<string | null> {
  for (const name of MODELS_OF_FOLDERS[precision]) {
    const file = join(folder, name);
    if (await exists(file)) return file;
  }
  return null;
}

/**
 * The model of a folder in the precision that its specification names, or in `byDefault`; in float32 if the
 * folder lacks that one.
 */
async function bestModel(folder: string, byDefault: Precision): Promise<string | null> {
  const precision = (await readSpec(join(folder, EXPORT_FILES.spec)))?.play?.precision ?? byDefault;
  return (await modelOfFolder(folder, precision)) ?? modelOfFolder(folder, 'float32');
}

/**
 * The ONNX file that a path names: the file itself, or the model for play in the folder of a checkpoint or of an
 * export. `gess`, `gess-int8` and the like are the models that the package ships; write `./gess` for a file or folder
 * of that name.
 *
 * @param precision of the model in a folder; undefined: the one that its specification names, or the default.
 * @param isTimed whether the default is int8 where the folder has it, for play within a time limit, and not float32.
 * @throws AgentError `model-missing`, also for a file's path if a precision is given.
 */
export async function modelPath(path: string, precision?: Precision, isTimed = false): Promise<string> {
  const folder = namedPath(path);
  if (await isFolder(folder)) {
    const found = await (precision === undefined
      ? bestModel(folder, isTimed ? 'int8' : 'float32')
      : modelOfFolder(folder, precision));
    if (found !== null) return found;
    const names = MODELS_OF_FOLDERS[precision ?? 'float32'].join(' or ');
    const newest = await newestCheckpoint(folder);
    const end = newest === undefined ? '' : `; it is a run, whose newest network is in ${newest}`;
    throw new AgentError(
      'model-missing',
      `expected an ONNX model in the folder ${quote(path)}: ${names}${end}`,
    );
  }
  if (precision === undefined) return folder;
  throw new AgentError(
    'model-missing',
    `expected the folder of a checkpoint or of an export for precision=${precision}, got the file ${quote(path)}`,
  );
}

/**
 * The ONNX file that an agent's text names; null for an agent without one.
 *
 * @throws AgentError `agent-*`, `model-missing`.
 */
export async function agentModelPath(agent: string): Promise<string | null> {
  const { options } = parseAgentSpec(agent);
  if (!('model' in options) || options.model === undefined) return null;
  return modelPath(options.model, options.precision, 'timeMs' in options && options.timeMs !== undefined);
}

/**
 * The ONNX file for self-play. In the folder of a checkpoint or of an export, a configured int8 selects the int8 model;
 * a configured float32, which is also the default, leaves the choice to the folder. A file is used as it is.
 *
 * @param precision `selfPlay.precision` of the configuration.
 * @throws AgentError `model-missing`.
 */
export async function selfPlayModelPath(path: string, precision: Precision): Promise<string> {
  const named = namedPath(path);
  return precision === 'int8' && (await isFolder(named)) ? modelPath(path, precision) : modelPath(path);
}

async function readExported(file: string, spec: ExportSpec, game: Game<unknown>): Promise<Uint8Array> {
  checkGame(file, { ...spec, id: spec.game }, game);
  return spec.files[basename(file)] === undefined ? readInput(file, 'model') : readExportedFile(spec, file);
}

/** @throws AgentError `model-mismatch` if the model is not of `game`. */
function checkGame(file: string, found: z.infer<typeof CheckpointGame>['game'], game: Game<unknown>): void {
  const wanted = `expected a model of ${game.id} ${game.rules}`;
  if (found.id !== game.id || found.rules !== game.rules) {
    throw new AgentError('model-mismatch', `${wanted}, found one of ${found.id} ${found.rules} in ${file}`);
  }
  const problems = (['rulesVersion', 'encodingVersion'] as const)
    .filter((key) => found[key] !== game[key])
    .map((key) => `${key} ${game[key]}, found ${found[key]}`);
  if (problems.length > 0) {
    throw new AgentError('model-mismatch', `${wanted} with ${problems.join(' and ')} in ${file}`);
  }
}
