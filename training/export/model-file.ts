import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { AgentError } from '../../agents/agent-error.js';
import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import { exists } from '../../data/files/atomic-file.js';
import { DataError, systemErrorCode } from '../../data/data-error.js';
import { readInput } from '../../data/files/input-file.js';
import { readListedFile, readManifest } from '../../data/files/manifest.js';
import { sha256 } from '../../data/files/sealed-json.js';
import type { Game } from '../../env/game.js';
import { CHECKPOINT_KIND } from '../checkpoints/checkpoint-files.js';
import { openOnnxModel } from '../inference/onnx-session.js';
import { SPEC_FILE } from './model-spec.js';
import { type ExportSpec, readSpec } from './spec-file.js';
import { quote } from '../../env/text/quoted-text.js';
import { shippedModel } from './shipped-models.js';

/** The game of a model, by its checkpoint's manifest or its export's specification. */
const ModelGame = z.object({
  rules: z.string(),
  rulesVersion: z.int(),
  encodingVersion: z.int(),
});

const CheckpointGame = z.object({ game: ModelGame.extend({ id: z.string() }) });

/**
 * Opens an ONNX model, checked as `readModelFile` does, with ONNX Runtime. Agents with a network are created in Node by
 * `createAgent(text, game, openModelFile)`.
 *
 * @param path of the file, or of a checkpoint's or export's folder.
 * @throws AgentError `model-unreadable` if the file is not an ONNX model; errors of `readModelFile`.
 */
export async function openModelFile(path: string, game: Game<unknown>): Promise<InferenceSession> {
  const session = await openOnnxModel(await readModelFile(path, game), `'${path}'`);
  const spec = await readSpec(join(dirname(await modelPath(path)), SPEC_FILE));
  if (spec?.play === undefined) return session;
  const { source, inputs, outputs } = session;
  return {
    ...{ source, inputs, outputs, playOptions: spec.play },
    run: (tensors) => session.run(tensors),
    dispose: () => session.dispose(),
  };
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
  const file = await modelPath(path);
  const spec = await readSpec(join(dirname(file), SPEC_FILE));
  if (spec !== null) return readExported(file, spec, game);
  const manifestPath = join(dirname(file), 'manifest.json');
  if (!(await exists(manifestPath))) return readInput(file, 'model');
  const manifest = await readManifest(manifestPath, CHECKPOINT_KIND);
  const known = CheckpointGame.safeParse(manifest.details).data?.game;
  if (known !== undefined) checkGame(file, known, game);
  return readListedFile(manifest, file);
}

/**
 * The ONNX file at a path: itself, or `model.onnx` in the folder of a checkpoint or of an export. `gess` and the like are the
 * models that the package ships; write `./gess` for a folder of that name.
 *
 * @throws AgentError `model-missing`.
 */
export async function modelPath(path: string): Promise<string> {
  const shipped = shippedModel(path);
  if (shipped !== undefined) return join(shipped, 'model.onnx');
  try {
    return (await stat(path)).isDirectory() ? await modelPath(join(path, 'model.onnx')) : path;
  } catch (error) {
    if (error instanceof AgentError) throw error;
    const reason = systemErrorCode(error) ?? String(error);
    throw new AgentError('model-missing', `expected an ONNX model at ${quote(path)}: ${reason}`, {
      cause: error,
    });
  }
}

async function readExported(file: string, spec: ExportSpec, game: Game<unknown>): Promise<Uint8Array> {
  checkGame(file, { ...spec, id: spec.game }, game);
  const bytes = await readInput(file, 'model');
  const expected = spec.files[basename(file)];
  if (expected === undefined || expected === sha256(bytes)) return bytes;
  throw new DataError('file-altered', `expected SHA-256 ${expected} of ${file}, found ${sha256(bytes)}`);
}

/** @throws AgentError `model-mismatch` if the model is not of `game`. */
function checkGame(file: string, found: z.infer<typeof CheckpointGame>['game'], game: Game<unknown>): void {
  const problems = (['id', 'rules', 'rulesVersion', 'encodingVersion'] as const)
    .filter((key) => found[key] !== game[key])
    .map((key) => `${key} ${game[key]}, found ${found[key]}`);
  if (problems.length > 0) {
    throw new AgentError('model-mismatch', `expected a model of ${problems.join('; of ')} in ${file}`);
  }
}
