import type * as z from 'zod';
import { isJsonObject, type JsonObject } from '../../env/text/json-object.js';

/** A setting of version 1.0.0 that is no longer in the program, as no measurement showed that its method helps. */
interface RetiredSetting {
  readonly path: readonly string[];
  /** The value without the method; absent: no value had an effect without another retired setting. */
  readonly off?: unknown;
}

const RETIRED_SETTINGS: readonly RetiredSetting[] = [
  { path: ['network', 'reply'], off: false },
  { path: ['network', 'shortTerm'], off: false },
  { path: ['learner', 'replyWeight'] },
  { path: ['learner', 'shortTermWeight'] },
  { path: ['learner', 'shortTermPlies'] },
  { path: ['replay', 'surpriseShare'], off: 0 },
  { path: ['selfPlay', 'search', 'varianceScale'], off: 0 },
];

/** The object that has the last name of `path`; null if there is none. */
function ownerOf(config: JsonObject, path: readonly string[]): JsonObject | null {
  let owner: unknown = config;
  for (const name of path.slice(0, -1)) {
    if (!isJsonObject(owner)) return null;
    owner = owner[name];
  }
  return isJsonObject(owner) && Object.hasOwn(owner, path.at(-1)!) ? owner : null;
}

/**
 * Removes retired settings from the JSON of a run, so that a run of version 1.0.0 can be resumed. Reports those that
 * enable a method which only that version has.
 *
 * @param value any JSON; not changed.
 * @returns a changed copy, or `value` if it has no retired settings.
 */
export function withoutRetiredSettings(value: unknown, context: z.RefinementCtx): unknown {
  if (!isJsonObject(value)) return value;
  if (RETIRED_SETTINGS.every(({ path }) => ownerOf(value, path) === null)) return value;
  const config = structuredClone(value);
  for (const { path, off } of RETIRED_SETTINGS) {
    const owner = ownerOf(config, path);
    if (owner === null) continue;
    const name = path.at(-1)!;
    if (off !== undefined && owner[name] !== off) {
      const message = `expected ${JSON.stringify(off)}: only version 1.0.0 has this method`;
      context.addIssue({ code: 'custom', path: [...path], message });
    }
    Reflect.deleteProperty(owner, name);
  }
  return config;
}
