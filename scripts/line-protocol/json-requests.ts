import * as z from 'zod';
import { CodedError } from '../../env/errors.js';
import { parseJsonText } from '../../env/text/json-text.js';
import { quote } from '../../env/text/quoted-text.js';

/**
 * Machine-readable causes of a request that a server of JSON lines rejects. Answers also have the codes of
 * `env/errors.ts`.
 *
 * - `request-syntax`: not UTF-8, not JSON, or not a request; `request-size`: a line that is too long;
 * - `frame-syntax`: a malformed frame;
 * - `env-closed`: no open environment has this number; `env-count`: too many are open; `env-kind`: a vector where an
 *   environment for agents in turn was expected, or the reverse;
 * - `failed`: a defect of the environment or of the server; the environment cannot be used any more.
 */
export type RequestErrorCode =
  'request-syntax' | 'request-size' | 'frame-syntax' | 'env-closed' | 'env-count' | 'env-kind' | 'failed';

/** Thrown for a rejected request, which has no effect. */
export class RequestError extends CodedError<RequestErrorCode> {
  override readonly name = 'RequestError';
}

/** A client's name for its request, which the answer repeats. */
export const RequestId = z.union([z.string().max(100), z.int()]);

/** A client's name for its request. */
export type RequestId = z.infer<typeof RequestId>;

/**
 * The JSON of a line.
 *
 * @throws RequestError `request-syntax`, also for JSON that `parseJsonText` rejects.
 */
export function parseLine(line: string): unknown {
  try {
    return parseJsonText(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new RequestError('request-syntax', `not a line of JSON: ${cause.message}; got ${quote(line)}`, {
      cause,
    });
  }
}

/** The id of a possible request; null if it has no valid one. */
export function idOf(json: unknown): RequestId | null {
  if (typeof json !== 'object' || json === null || !('id' in json)) return null;
  const id = RequestId.safeParse(json.id);
  return id.success ? id.data : null;
}

/** The answer to a failed request, with `facts` before the error. Rethrows errors without a code. */
export function errorAnswer(id: RequestId | null, error: unknown, facts: object = {}): string {
  if (!(error instanceof CodedError)) throw error;
  return JSON.stringify({ id, ...facts, error: { code: String(error.code), message: error.message } });
}
