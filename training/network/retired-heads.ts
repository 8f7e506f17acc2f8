import type * as z from 'zod';
import { isJsonObject } from '../../env/text/json-object.js';

/** Auxiliary heads of version 1.0.0. No measurement showed that they help, so they are no longer in the program. */
const RETIRED_HEADS = ['reply', 'shortTerm'] as const;

/**
 * Removes the settings of retired heads from those of a network in a file of any version. Reports a network that has
 * such a head.
 *
 * @param value any JSON; not changed.
 */
export function withoutRetiredHeads(value: unknown, context: z.RefinementCtx): unknown {
  if (!isJsonObject(value)) return value;
  const settings = { ...value };
  for (const name of RETIRED_HEADS) {
    if (settings[name] !== undefined && settings[name] !== false) {
      const message = 'expected false: only version 1.0.0 has this head';
      context.addIssue({ code: 'custom', path: [name], message });
    }
    Reflect.deleteProperty(settings, name);
  }
  return settings;
}
