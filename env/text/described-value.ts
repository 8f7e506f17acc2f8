import { quote } from './quoted-text.js';

const MAX_SHOWN_CHARACTERS = 40;

/**
 * Describes any value in a few words, for messages: `NaN`, `"text"`, `a Float64Array of 3`, `an object with
 * keys a, b`.
 */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return shorten(JSON.stringify(value));
  if (typeof value === 'bigint') return `${shorten(String(value))}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (ArrayBuffer.isView(value)) {
    const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
    return 'length' in value ? `a ${name} of ${String(value.length)}` : `a ${name}`;
  }
  const keys = Object.keys(value);
  return keys.length === 0 ? 'an object without keys' : `an object with keys ${shorten(keys.join(', '))}`;
}

/** As `quote` for a text, as `describeValue` for anything else: for names, which programs without types may omit. */
export function quoteName(name: unknown): string {
  return typeof name === 'string' ? quote(name) : describeValue(name);
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}
