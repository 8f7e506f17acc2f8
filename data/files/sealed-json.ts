import { createHash } from 'node:crypto';
import { type JsonLimits, JsonTextError, parseJsonText } from '../../env/text/json-text.js';
import { isJsonObject, type JsonObject } from '../../env/text/json-object.js';

/** Limits of JSON in files. */
export const FILE_LIMITS: JsonLimits = { maxValues: 200_000 };

/** SHA-256 in lower-case hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Layout of a sealed object: a `file` of its own, indented, or one `line` of a file. Both end in a newline. */
export type SealedLayout = 'file' | 'line';

function layOut(value: object, layout: SealedLayout): string {
  return `${JSON.stringify(value, undefined, layout === 'file' ? 2 : undefined)}\n`;
}

/**
 * An object as JSON with a last key, `sha256`: the checksum of the text without this key. It protects files that are in
 * no manifest.
 *
 * @param value plain JSON without a key `sha256`.
 * @throws Error for a value with that key: the seal would replace it.
 */
export function sealJson(value: object, layout: SealedLayout): string {
  if ((value as { readonly sha256?: unknown }).sha256 !== undefined)
    throw new Error("expected an object without a key 'sha256' to seal");
  return layOut({ ...value, sha256: sha256(layOut(value, layout)) }, layout);
}

/** Result of `openSealed`. */
export interface OpenedSeal {
  /** The object without its seal. */
  readonly value: object;
  /** `altered`: sealed, but not byte for byte as `sealJson` writes it; `unsealed`: without a key `sha256`. */
  readonly seal: 'sound' | 'altered' | 'unsealed';
}

/** The seal of an object that was parsed from `text`. */
export function sealOf(parsed: JsonObject, text: string, layout: SealedLayout): OpenedSeal {
  const { sha256: seal, ...value } = parsed;
  if (seal === undefined) return { value: parsed, seal: 'unsealed' };
  const isSound = seal === sha256(layOut(value, layout)) && text === layOut(parsed, layout);
  return { value, seal: isSound ? 'sound' : 'altered' };
}

/**
 * Reads what `sealJson` wrote, and other JSON objects.
 *
 * @throws JsonTextError for a text that is not JSON within its limits, or not an object.
 */
export function openSealed(text: string, layout: SealedLayout): OpenedSeal {
  const parsed = parseJsonText(text, FILE_LIMITS);
  if (!isJsonObject(parsed)) throw new JsonTextError('syntax', 'expected an object');
  return sealOf(parsed, text, layout);
}
