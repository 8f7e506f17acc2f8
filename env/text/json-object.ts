/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** Whether a JSON value is an object: neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
