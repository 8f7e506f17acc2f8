import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { AgentError } from '../agents/errors.js';
import { DataError, systemErrorCode } from '../data/errors.js';
import { readListedFile, readManifest, sha256 } from '../data/manifest.js';
import { CHECKPOINT_KIND, exists } from './checkpoint.js';

/** What of an export's `spec.json` is needed to check its files: SHA-256 by name. */
const SpecFiles = z.object({ files: z.record(z.string(), z.string()) });

/**
 * Reads an ONNX model, checked against the checkpoint's manifest or the export's `spec.json` beside it; a model
 * that has neither is read as it is.
 *
 * @param path of the file, or of a checkpoint's or export's folder.
 * @throws AgentError `model-missing`; DataError `file-cut`, `file-altered`, `manifest-damaged`,
 * `manifest-too-new`, `file-unreadable`.
 */
export async function readModelFile(path: string): Promise<Uint8Array> {
  const file = await fileOf(path);
  const manifest = join(dirname(file), 'manifest.json');
  if (await exists(manifest)) return readListedFile(await readManifest(manifest, CHECKPOINT_KIND), file);
  const bytes = await readFile(file);
  const spec = join(dirname(file), 'spec.json');
  if (await exists(spec)) checkAgainstSpec(file, bytes, await readFile(spec, 'utf8'));
  return bytes;
}

async function fileOf(path: string): Promise<string> {
  try {
    return (await stat(path)).isDirectory() ? await fileOf(join(path, 'model.onnx')) : path;
  } catch (error) {
    if (error instanceof AgentError) throw error;
    const reason = systemErrorCode(error) ?? String(error);
    throw new AgentError('model-missing', `expected an ONNX model at '${path}': ${reason}`, { cause: error });
  }
}

/** Throws `file-altered` where the specification names the file with another checksum. */
function checkAgainstSpec(file: string, bytes: Uint8Array, text: string): void {
  const spec = SpecFiles.safeParse(parseJson(file, text));
  const expected = spec.data?.files[basename(file)];
  if (expected === undefined || expected === sha256(bytes)) return;
  throw new DataError('file-altered', `expected SHA-256 ${expected} of ${file}, found ${sha256(bytes)}`);
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataError('manifest-damaged', `expected JSON in the spec.json beside ${file}`, {
      cause: error,
    });
  }
}
