import { join } from 'node:path';
import * as z from 'zod';
import { AgentError } from '../../../agents/agent-error.js';
import { PlayOptions } from '../../../agents/play-options.js';
import { exists } from '../../../data/files/atomic-file.js';
import { describeFound } from '../../../data/files/output-folder.js';
import { sha256 } from '../../../data/files/sealed-json.js';
import { createGame } from '../../../env/games.js';
import { EXPORT_FILES } from '../export-files.js';
import { readModelFile } from '../model-file.js';
import { readSpec } from '../spec-file.js';
import { optimizedModel } from './optimized-model.js';

/** Files of an export that the page can play with, the fastest in WebAssembly first. */
const CANDIDATES = [EXPORT_FILES.int8, EXPORT_FILES.legal];

/** Digits of a checksum in a file's name. */
const NAME_DIGITS = 12;

/** A model as the page lists it. */
export const PageModel = z.strictObject({
  /** Name of its file beside the list; contains a checksum, so that other bytes have another name. */
  file: z.string().regex(/^[\w-]+\.onnx$/),
  game: z.string(),
  /** Canonical rules text. */
  rules: z.string(),
  /** Agent options with which the model plays best. */
  play: PlayOptions,
});
export type PageModel = z.infer<typeof PageModel>;

/** `models/models.json` of the page. */
export const PageModelList = z.strictObject({ models: z.array(PageModel) });

/** A model and its bytes. */
export interface PageModelFile {
  readonly model: PageModel;
  readonly bytes: Uint8Array;
}

/** The name of the file of a game's model on the page. */
function pageModelName(game: string, bytes: Uint8Array): string {
  return `${game}-${sha256(bytes).slice(0, NAME_DIGITS)}.onnx`;
}

/**
 * Reads the model of an export's folder for the page, and optimizes it.
 *
 * @throws AgentError `model-missing` if the folder has no specification or no model; errors of `readModelFile`.
 */
export async function readPageModel(folder: string): Promise<PageModelFile> {
  const spec = await readSpec(join(folder, EXPORT_FILES.spec));
  const found = await Promise.all(CANDIDATES.map((name) => exists(join(folder, name))));
  const name = CANDIDATES.find((_, index) => found[index]);
  if (spec === null || name === undefined) {
    const missing = `no ${spec === null ? EXPORT_FILES.spec : EXPORT_FILES.legal} there`;
    const there = spec === null ? await describeFound(folder, missing) : missing;
    throw new AgentError('model-missing', `expected the folder of an export at '${folder}', found ${there}`);
  }
  const { game, rules, play = {} } = spec;
  const file = join(folder, name);
  const bytes = await optimizedModel(await readModelFile(file, createGame(game, rules)), file);
  return { model: { file: pageModelName(game, bytes), game, rules, play }, bytes };
}
