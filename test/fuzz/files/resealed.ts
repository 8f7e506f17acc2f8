import { sealJson } from '../../../data/files/sealed-json.js';
import { JSON_MARKS } from '../hostile-texts.js';

/** Words of JSON files, some of them hostile. */
export const JSON_WORDS = [...JSON_MARKS, ...['"__proto__":{},', '[[[[[[[[']];

/** The value if the text is JSON, else the text itself. */
export function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The text with a new checksum if it is still a JSON object, as an attacker would write it. */
export function resealed(text: string, layout: 'file' | 'line'): string {
  const value = parsedIfJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return text;
  return sealJson({ ...value, sha256: undefined }, layout);
}
