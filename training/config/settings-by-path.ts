import type { RunConfig } from './run-config.js';

/** The settings of a run by path, such as `learner.batchSize`; lists as JSON. Settings that are null are left out. */
export function settingsByPath(config: RunConfig): ReadonlyMap<string, number | string | boolean> {
  const values = new Map<string, number | string | boolean>();
  const add = (prefix: string, part: object): void => {
    for (const [name, value] of Object.entries(part) as [string, unknown][]) {
      if (value === null || value === undefined || name.startsWith('$')) continue;
      const path = `${prefix}${name}`;
      if (Array.isArray(value)) values.set(path, JSON.stringify(value));
      else if (typeof value === 'object') add(`${path}.`, value);
      else values.set(path, value as number | string | boolean);
    }
  };
  add('', config);
  return values;
}
