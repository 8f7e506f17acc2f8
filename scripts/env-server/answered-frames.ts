import { CodedError } from '../../env/errors.js';
import { isUtf8 } from 'node:buffer';
import { RequestError } from '../line-protocol/json-requests.js';
import type { EnvironmentTable } from './environment-table.js';
import { parseFrameReset } from './requests.js';
import { type Batch, batchFrame } from './frames/batch-frame.js';
import { ANSWER_KIND, type InputFrame, REQUEST_KIND, textFrame } from './frames/frame-format.js';
import { errorText } from '../../env/text/error-text.js';

/** The number of an environment, and its state after a request. */
interface Shown {
  readonly env: number;
  readonly batch: Batch;
}

/** The error for an invalid payload of a frame. */
function syntax(message: string): RequestError {
  return new RequestError('frame-syntax', message);
}

function textOf(payload: Buffer): string {
  if (!isUtf8(payload)) throw syntax('expected UTF-8');
  return payload.toString('utf8');
}

/** `u32` environment, `u32` count, `i32[count]` actions. */
function step(payload: Buffer, table: EnvironmentTable): Shown {
  if (payload.length < 8) throw syntax(`frame step: expected 8 bytes or more, got ${payload.length}`);
  const env = payload.readUInt32LE(0);
  const count = payload.readUInt32LE(4);
  const { stepped } = table.find(env);
  const expected = 8 + 4 * stepped.count;
  if (count !== stepped.count || payload.length !== expected) {
    const found = `${count} in ${payload.length}`;
    throw syntax(`frame step: expected ${stepped.count} actions in ${expected} bytes, got ${found}`);
  }
  const actions = new Int32Array(count);
  for (let i = 0; i < count; i++) actions[i] = payload.readInt32LE(8 + 4 * i);
  return { env, batch: guarded(table, env, () => stepped.step(actions)) };
}

function reset(payload: Buffer, table: EnvironmentTable): Shown {
  const { env, seed, ...options } = parseFrameReset(textOf(payload));
  const { stepped } = table.find(env);
  if (typeof seed !== 'object') {
    return { env, batch: guarded(table, env, () => stepped.reset({ ...options, seed })) };
  }
  const seeds = seed.map((own) => own ?? undefined);
  return { env, batch: guarded(table, env, () => stepped.reset({ ...options, seeds })) };
}

/** `u32` environment, `i32` player, or -1 for the player to move. */
function look(payload: Buffer, table: EnvironmentTable): Shown {
  if (payload.length !== 8) throw syntax(`frame look: expected 8 bytes, got ${payload.length}`);
  const env = payload.readUInt32LE(0);
  const player = payload.readInt32LE(4);
  if (player !== 0 && player !== 1 && player !== -1) {
    throw syntax(`frame look: expected a player 0, 1 or -1, got ${player}`);
  }
  const { stepped } = table.find(env);
  return { env, batch: guarded(table, env, () => stepped.look(player === -1 ? undefined : player)) };
}

/** Abandons an environment that fails by a defect. */
function guarded(table: EnvironmentTable, env: number, act: () => Batch): Batch {
  try {
    return act();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    table.abandon(env);
    const message = errorText(cause);
    throw new RequestError('failed', `a frame failed with an internal error: ${message}`, { cause });
  }
}

function shownBy(kind: number, payload: Buffer, table: EnvironmentTable): Shown {
  if (kind === REQUEST_KIND.step) return step(payload, table);
  if (kind === REQUEST_KIND.reset) return reset(payload, table);
  if (kind === REQUEST_KIND.look) return look(payload, table);
  const kinds = Object.values(REQUEST_KIND).join(', ');
  throw syntax(`expected a frame of kind ${kinds}, got ${kind}`);
}

/**
 * The answer to a frame, with the same id.
 *
 * @param line answers a line of JSON, which is the payload of the kind `call`.
 */
export function answerFrame(
  { kind, id, payload, fault }: InputFrame,
  table: EnvironmentTable,
  {
    line,
    onDefect,
  }: { readonly line: (line: string) => string; readonly onDefect: (error: unknown) => void },
): Buffer {
  try {
    if (payload === null) throw fault ?? syntax('expected a payload');
    if (kind === REQUEST_KIND.call) return textFrame(ANSWER_KIND.call, id, line(textOf(payload)));
    const { env, batch } = shownBy(kind, payload, table);
    return batchFrame(batch, { id, env, type: table.find(env).planes });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (error instanceof RequestError && error.code === 'failed') onDefect(error.cause);
    const code = String(error.code as unknown);
    return textFrame(ANSWER_KIND.error, id, JSON.stringify({ code, message: error.message }));
  }
}
