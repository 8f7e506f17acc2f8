import { sealJson } from '../../../data/files/sealed-json.js';
import { JSON_MARKS } from '../hostile-texts.js';

/** Words of JSON files, some of them hostile. */
export const JSON_WORDS = [...JSON_MARKS, ...['"__proto__":{},', '[[[[[[[[']];

/** JSON if it is some, else the text. */
export function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The text with a fresh checksum where it still is an object, as somebody would write it on purpose. */
export function resealed(text: string, layout: 'file' | 'line'): string {
  const value = parsedIfJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return text;
  return sealJson({ ...value, sha256: undefined }, layout);
}
