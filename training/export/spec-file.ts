import * as z from 'zod';
import { PlayOptions } from '../../agents/play-options.js';
import { AgentError } from '../../agents/agent-error.js';
import { DataError } from '../../data/data-error.js';
import { type JsonForm, readJsonFile } from '../../data/files/json-file.js';
import { namedValues } from '../../env/named-values.js';
import { SPEC_VERSION } from './model-spec.js';

/** Fields of an export's `spec.json` that its files are checked against; the others are for people and programs. */
const ExportSpec = z.looseObject({
  specVersion: z.int(),
  game: z.string(),
  rules: z.string(),
  rulesVersion: z.int(),
  encodingVersion: z.int(),
  /** Options with which the model plays best. */
  play: PlayOptions.optional(),
  /** SHA-256 by name. */
  files: namedValues(z.string()),
});
/** See the schema. */
export type ExportSpec = z.infer<typeof ExportSpec>;

const SPEC_FORM: JsonForm<ExportSpec> = {
  schema: ExportSpec,
  name: 'the specification of an export',
  seal: 'file',
  version: {
    key: 'specVersion',
    newest: SPEC_VERSION,
    error: (message) => new AgentError('model-mismatch', message),
  },
  error: (message, cause) => new DataError('manifest-damaged', message, { cause }),
};

/**
 * Reads an export's `spec.json` and verifies its own checksum; null if it does not exist.
 *
 * @throws DataError `manifest-damaged`, `file-unreadable`, `file-too-large`; AgentError `model-mismatch` for a newer version.
 */
export function readSpec(path: string): Promise<ExportSpec | null> {
  return readJsonFile(path, 'spec', SPEC_FORM);
}
