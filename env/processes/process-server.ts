// Needs Node: the side of a process that answers the requests of a `ProcessClient`.
import { Worker } from 'node:worker_threads';
import { compiledModule } from './compiled-module.js';
import { packError } from './packed-error.js';
import type { MessageFromProcess, MessageToProcess } from './process-messages.js';

/** Answers a request; `note` sends notes on it. An error that is thrown is sent as the request's failure. */
export type RequestHandler<Request, Answer, Note = never> = (
  request: Request,
  note: (note: Note) => void,
) => Answer | Promise<Answer>;

/**
 * Answers the requests of the `ProcessClient` that started this process, one after another. The process ends when its
 * parent does, however that ends.
 */
export function serveRequests<Request, Answer, Note = never>(
  answer: RequestHandler<Request, Answer, Note>,
): void {
  const end = (): void => {
    // Not `exit` alone: it waits for threads that read files, so a file that never responds would block it.
    process.on('exit', () => process.kill(process.pid, 'SIGKILL'));
    process.exit(1);
  };
  const send = (message: MessageFromProcess<Answer, Note>): void => {
    // A message that cannot be sent has no reader: the parent has ended, perhaps before this process was ready.
    process.send!(message, (error: Error | null) => {
      if (error !== null) end();
    });
  };
  const serve = async (request: Request): Promise<void> => {
    try {
      const found = await answer(request, (note) => {
        send({ note });
      });
      // Throws if the answer holds a value that messages cannot carry, such as a function.
      send({ answer: found });
    } catch (error) {
      send({ failure: packError(error) });
    }
  };
  process.on('disconnect', end);
  (process as NodeJS.EventEmitter).on('error', end);
  process.on('message', (message: MessageToProcess<Request>) => {
    if (message === 'ping') send('pong');
    else void serve(message.request);
  });
  new Worker(compiledModule(import.meta.url, 'parent-watch'), {
    workerData: Number(process.argv[2]),
  }).unref();
}
