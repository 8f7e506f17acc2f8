// Needs Node: the main module of a thread of `ProcessVectorEnv`.
import { parentPort } from 'node:worker_threads';
import { packError } from '../../processes/packed-error.js';
import type { MessageFromProcess } from '../../processes/process-messages.js';
import type { Reply, Request } from './process-requests.js';
import { answerVectorRequest } from './vector-server.js';

async function answer(request: Request): Promise<void> {
  let message: MessageFromProcess<Reply, never>;
  try {
    message = { answer: await answerVectorRequest(request) };
    parentPort!.postMessage(message);
  } catch (error) {
    // Also reached if the answer holds a value that messages cannot carry, such as a function.
    message = { failure: packError(error) };
    parentPort!.postMessage(message);
  }
}

parentPort!.on('message', (request: Request) => void answer(request));
