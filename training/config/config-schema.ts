import * as z from 'zod';
import { RunConfig } from './run-config.js';

/**
 * The JSON Schema (draft 2020-12) of a run's file, for editors: names, meanings, defaults and ranges of all settings.
 * Only the program checks rules of games, texts of agents and conflicts between settings.
 */
export function runConfigSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(RunConfig, { io: 'input', target: 'draft-2020-12' });
  return { $schema, title: 'A run of gess train', ...schema };
}
