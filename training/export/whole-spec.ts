import { type JsonForm, readJsonFile } from '../../data/files/json-file.js';
import { SPEC_FORM } from './spec-file.js';
import { ModelSpec } from './spec-schema.js';

const WHOLE_FORM: JsonForm<ModelSpec> = { ...SPEC_FORM, schema: ModelSpec };

/**
 * Reads an export's `spec.json` and checks all of it; null if it does not exist.
 *
 * @throws as `readSpec`.
 */
export function readWholeSpec(path: string): Promise<ModelSpec | null> {
  return readJsonFile(path, 'spec', WHOLE_FORM);
}
