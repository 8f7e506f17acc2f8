import type { Answer, Question, Request } from './messages.js';
import { ThinkerPool } from './thinker-pool.js';
import { errorText } from '../../env/text/error-text.js';

/** The part of the worker's global object in use; TypeScript's types for workers and for pages exclude each other. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(answer: Answer): void;
}
const scope = globalThis as unknown as WorkerScope;

const pool = new ThinkerPool(new URL('../models/', import.meta.url));
const stopped = new Set<number>();
/** Questions are answered one after another. */
let queue: Promise<void> = Promise.resolve();

async function answer(id: number, question: Question): Promise<void> {
  const tell = (thought: Extract<Answer, { kind: 'thought' }>['thought'], isLast: boolean): void => {
    scope.postMessage({ kind: 'thought', id, thought, isLast });
  };
  const thought = await pool.think(question, {
    shouldStop: () => stopped.has(id),
    onThought: (partial) => {
      tell(partial, false);
    },
  });
  tell(thought, true);
}

function enqueue(id: number, work: () => Promise<void>): void {
  queue = queue.then(work).catch((error: unknown) => {
    const message = errorText(error);
    scope.postMessage({ kind: 'failed', id, message });
  });
}

scope.onmessage = ({ data }) => {
  const { id } = data;
  switch (data.kind) {
    case 'stop':
      stopped.add(id);
      return;
    case 'load':
      enqueue(id, async () => {
        await pool.load(data.game, data.rules);
        scope.postMessage({ kind: 'loaded', id });
      });
      return;
    case 'think':
      enqueue(id, async () => {
        try {
          await answer(id, data.question);
        } finally {
          stopped.delete(id);
        }
      });
  }
};
