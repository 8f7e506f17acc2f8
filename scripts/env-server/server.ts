import { CodedError } from '../../env/errors.js';
import { readLines } from '../line-protocol/answered-lines.js';
import { errorAnswer, idOf, parseLine, RequestError } from '../line-protocol/json-requests.js';
import type { Output } from '../output.js';
import { EnvironmentTable } from './environment-table.js';
import { answerFrame } from './answered-frames.js';
import { type InputFrame, FRAMES_VERSION } from './frames/frame-format.js';
import { inputFrames, SharedChunks } from './frames/input-frames.js';
import { type Method, type Parameters, parseRequest, type Request } from './requests.js';
import { errorText } from '../../env/text/error-text.js';

/** The answer to a request, as JSON. An environment that fails by a defect is closed; the others stay open. */
function answer<M extends Method>(
  table: EnvironmentTable,
  id: Request['id'],
  { method, params }: { readonly method: M; readonly params: Parameters<M> },
): string {
  try {
    return JSON.stringify({ id, result: table.methods[method](params) });
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    if ('env' in params) table.abandon(params.env);
    const message = errorText(cause);
    throw new RequestError('failed', `${method} failed with an internal error: ${message}`, { cause });
  }
}

/** Called with the error of a request that failed by a defect, after which the server continues. */
type DefectListener = (error: unknown) => void;

/**
 * The environments of one client, which sends lines and, after it has asked for them, frames
 * (docs/reference/envs/protocol.md).
 */
export class EnvSession {
  /** Whether the client has asked for frames. */
  isFramed = false;
  private readonly table = new EnvironmentTable();
  private readonly onDefect: DefectListener;

  constructor(onDefect: DefectListener = () => undefined) {
    this.onDefect = onDefect;
  }

  /**
   * The answer to any line: a line of JSON, `{"id", "result"}` or `{"id", "error": {"code", "message"}}`.
   */
  line(line: string): string {
    let id: Request['id'] | null = null;
    try {
      const json = parseLine(line);
      id = idOf(json);
      const request = parseRequest(json);
      const answered = answer(this.table, request.id, request);
      if (request.method === 'hello') this.isFramed ||= request.params.frames === FRAMES_VERSION;
      return answered;
    } catch (error) {
      if (error instanceof RequestError && error.code === 'failed') this.onDefect(error.cause);
      return errorAnswer(id, error);
    }
  }

  /** The answer to a frame, a frame with the same id. */
  frame(frame: InputFrame): Buffer {
    return answerFrame(frame, this.table, { line: (line) => this.line(line), onDefect: this.onDefect });
  }
}

/** Returns a function that answers the lines of one client. */
export function createEnvServer(onDefect?: DefectListener): (line: string) => string {
  const session = new EnvSession(onDefect);
  return (line) => session.line(line);
}

/**
 * Answers the lines of a stream, then its frames, until it ends. Waits until the answers are read, so a client that
 * only writes cannot make this process grow.
 *
 * @param write writes the bytes of an answer; resolves when more can be written.
 */
export async function serveEnvironments(
  session: EnvSession,
  input: AsyncIterable<Uint8Array>,
  { output, write }: { readonly output: Output; readonly write: (bytes: Buffer) => Promise<void> },
): Promise<void> {
  const chunks = new SharedChunks(input, () => session.isFramed);
  const isEnded = await readLines(chunks, {
    take: async (line) => {
      await output.line(session.line(line));
      return !session.isFramed;
    },
    refuse: (fault, message) => output.line(errorAnswer(null, new RequestError(`request-${fault}`, message))),
  });
  if (isEnded) return;
  for await (const frame of inputFrames(chunks)) await write(session.frame(frame));
}
