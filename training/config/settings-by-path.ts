import { isJsonObject } from '../../env/text/json-object.js';

/** The settings by their paths; a list is one value. */
export function settingsByPath(value: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (!isJsonObject(value)) return new Map([[path, value]]);
  return new Map(
    Object.entries(value).flatMap(([key, part]) => [
      ...settingsByPath(part, path === '' ? key : `${path}.${key}`),
    ]),
  );
}

/** The settings of a run by path, for people: lists as JSON, without settings that are null. */
export function readableSettings(config: object): ReadonlyMap<string, number | string | boolean> {
  const values = new Map<string, number | string | boolean>();
  for (const [path, value] of settingsByPath({ ...config, $schema: undefined })) {
    if (value === null || value === undefined) continue;
    values.set(path, Array.isArray(value) ? JSON.stringify(value) : (value as number | string | boolean));
  }
  return values;
}
