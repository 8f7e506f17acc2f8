import * as z from 'zod';
import { PlayOptions } from '../../agents/play-options.js';
import { AgentError } from '../../agents/agent-error.js';
import { DataError } from '../../data/data-error.js';
import { readInputSync } from '../../data/files/input-file.js';
import { type JsonForm, parseForm, readJsonFile } from '../../data/files/json-file.js';
import { namedValues } from '../../env/named-values.js';
import { isJsonObject } from '../../env/text/json-object.js';

/** Version of `spec.json`. */
export const SPEC_VERSION = 1;

/** Options of agents as `spec.json` holds them; `varianceScale`, which only version 1.0.0 has, is ignored. */
export const StoredPlayOptions = z.preprocess((value) => {
  if (!isJsonObject(value)) return value;
  const options = { ...value };
  delete options['varianceScale'];
  return options;
}, PlayOptions);

/** Fields of an export's `spec.json` that tell what it is, and against which its files are checked. */
const ExportSpec = z.looseObject({
  specVersion: z.int(),
  game: z.string(),
  rules: z.string(),
  rulesVersion: z.int(),
  encodingVersion: z.int(),
  generation: z.int().optional(),
  /** Agent options with which the model plays best. */
  play: StoredPlayOptions.optional(),
  license: z.string().nullish(),
  /** SHA-256 by file name. */
  files: namedValues(z.string()),
});
/** See the schema. */
export type ExportSpec = z.infer<typeof ExportSpec>;

/** The form of `spec.json` that all its readers share, whichever part they read. */
export const SPEC_FORM = {
  name: 'the specification of an export',
  seal: 'file',
  version: {
    key: 'specVersion',
    newest: SPEC_VERSION,
    error: (message: string) => new AgentError('model-mismatch', message),
  },
  error: (message: string, cause?: unknown) => new DataError('manifest-damaged', message, { cause }),
} as const;
const EXPORT_FORM: JsonForm<ExportSpec> = { ...SPEC_FORM, schema: ExportSpec };

/**
 * Reads an export's `spec.json` and verifies its own checksum; null if it does not exist.
 *
 * @throws DataError `manifest-damaged`, `file-unreadable`, `file-too-large`; AgentError `model-mismatch` for a newer
 *   version.
 */
export function readSpec(path: string): Promise<ExportSpec | null> {
  return readJsonFile(path, 'spec', EXPORT_FORM);
}

/**
 * Reads an existing `spec.json` synchronously; otherwise like `readSpec`.
 *
 * @throws as `readSpec`; DataError `file-missing`.
 */
export function readSpecSync(path: string): ExportSpec {
  return parseForm(readInputSync(path, 'spec'), EXPORT_FORM, { path });
}
