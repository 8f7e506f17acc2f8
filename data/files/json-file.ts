import * as z from 'zod';
import { CodedError } from '../../env/errors.js';
import { type JsonLimits, JsonTextError, parseJsonText } from '../../env/text/json-text.js';
import { validate } from '../../env/problems-text.js';
import { readInputIfThere } from './input-file.js';
import { FILE_LIMITS, openSealed, type SealedLayout } from './sealed-json.js';
import type { InputKind } from './size-limits.js';

/** The version of a form of JSON files. */
interface FormVersion {
  /** The key that holds it. */
  readonly key: string;
  /** The newest one that this program reads. */
  readonly newest: number;
  /** The error for a newer one. */
  readonly error: (message: string) => Error;
}

/** A form of JSON files, or of the lines of such files. */
export interface JsonForm<Value> {
  /** Of the value without its seal. */
  readonly schema: z.ZodType<Value>;
  /** Names it in messages: `a manifest`. */
  readonly name: string;
  /** The layout of its seal (sealed-json.ts); null for files without a checksum. */
  readonly seal: SealedLayout | null;
  /** Limits of files without a seal. Defaults to those of all files. */
  readonly limits?: JsonLimits;
  readonly version?: FormVersion;
  /** The error for a damaged file or line. */
  readonly error: (message: string, cause?: unknown) => Error;
}

/**
 * The text of bytes in UTF-8.
 *
 * @param allowsMark whether a byte order mark, with which some editors begin a file, is left out.
 */
function decode(content: string | Uint8Array, allowsMark: boolean): string {
  if (typeof content === 'string') return content;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: !allowsMark }).decode(content);
  } catch (cause) {
    throw new JsonTextError('syntax', 'found bytes that are not UTF-8', { cause });
  }
}

/** The value of a text without its seal, and the problem of its seal or null. */
function open(
  content: string | Uint8Array,
  { seal, limits = FILE_LIMITS }: Pick<JsonForm<unknown>, 'seal' | 'limits'>,
  line = 1,
): { value: unknown; problem: string | null } {
  // A seal covers every byte.
  const text = decode(content, seal === null && line === 1);
  if (seal === null) return { value: parseJsonText(text, limits), problem: null };
  const opened = openSealed(text, seal);
  const problems = {
    sound: null,
    altered: 'it does not match its own checksum',
    unsealed: 'it has no checksum',
  };
  return { value: opened.value, problem: problems[opened.seal] };
}

/** The place of a JSON text, for messages. */
export interface JsonPlace {
  readonly path: string;
  /** From 1; undefined for a whole file. */
  readonly line?: number;
}

/** The error for a JSON text that is not of a form: it names the form, the place and the problem. */
export function formError(
  form: JsonForm<unknown>,
  { path, line }: JsonPlace,
  problem: string,
  cause?: unknown,
): Error {
  const place = line === undefined ? `in ${path}` : `on line ${line} of ${path}`;
  return form.error(`expected ${form.name} (JSON) ${place}: ${problem}`, cause);
}

/**
 * Reads a JSON text of a form.
 *
 * @throws the form's errors, which name the place and what is wrong there.
 */
export function parseForm<Value>(
  content: string | Uint8Array,
  form: JsonForm<Value>,
  place: JsonPlace,
): Value {
  const damaged = (problem: string, cause?: unknown): Error => formError(form, place, problem, cause);
  let opened: ReturnType<typeof open>;
  try {
    opened = open(content, form, place.line);
  } catch (error) {
    if (error instanceof JsonTextError) {
      throw damaged(error.reason === 'syntax' ? `not JSON: ${error.message}` : error.message, error);
    }
    throw error;
  }
  const { value, problem } = opened;
  const { version } = form;
  if (version !== undefined) {
    const found = z.object({ [version.key]: z.int() }).safeParse(value).data?.[version.key] ?? 0;
    if (found > version.newest) {
      throw version.error(
        `${place.path} has ${version.key} ${found}, this program reads up to ${version.newest}`,
      );
    }
  }
  const read = validate(form.schema, value, damaged);
  if (problem !== null) throw damaged(problem);
  return read;
}

/**
 * Reads a JSON file of a form; null if it does not exist.
 *
 * @throws the form's errors; DataError `file-missing` if its folder is a file, `file-unreadable`, `file-too-large`.
 */
export async function readJsonFile<Value>(
  path: string,
  kind: InputKind,
  form: JsonForm<Value>,
): Promise<Value | null> {
  const content = await readInputIfThere(path, kind);
  return content === null ? null : parseForm(content, form, { path });
}

/** Most damaged lines of a file that are left out; the reading ends at the next one. */
export const MAX_DAMAGED_LINES = 100;

/** A line of a file, with the newline that ends it, and its value. */
export interface JsonLine<Value> {
  readonly text: string;
  readonly value: Value;
}

/**
 * Reads a file with a JSON text on each line; none if the file does not exist.
 *
 * @param onDamaged called with the error of each damaged line, which is left out; by default it is thrown. A last
 *   error, after `MAX_DAMAGED_LINES`, means that the lines that follow were not read.
 * @throws as `readJsonFile`; messages name the line.
 */
export async function readJsonLines<Value>(
  path: string,
  kind: InputKind,
  form: JsonForm<Value>,
  onDamaged?: (error: Error) => void,
): Promise<readonly JsonLine<Value>[]> {
  const content = (await readInputIfThere(path, kind)) ?? Buffer.alloc(0);
  const lines: JsonLine<Value>[] = [];
  let damaged = 0;
  for (let start = 0, number = 1; start < content.length; number++) {
    const newline = content.indexOf(0x0a, start);
    const end = newline === -1 ? content.length : newline + 1;
    const line = content.subarray(start, end);
    start = end;
    try {
      const value = parseForm(line, form, { path, line: number });
      lines.push({ text: line.toString(), value });
    } catch (error) {
      if (onDamaged === undefined || !(error instanceof CodedError)) throw error;
      damaged += 1;
      if (damaged > MAX_DAMAGED_LINES) {
        const problem = `more than ${MAX_DAMAGED_LINES} damaged lines; those from line ${number} on were not read`;
        onDamaged(form.error(`${problem}, in ${path}`));
        return lines;
      }
      onDamaged(error);
    }
  }
  return lines;
}
