import type { Answer, EngineThought, Question, Request } from './messages.js';

/** The worker's script, as vite.config.ts names it: it shares the rules of the games with the page. */
const WORKER_FILE = './engine-worker.js';

/** A running search. */
export interface Search {
  /** The last thought; undefined if the search was stopped before the first one. Rejects with the engine's message. */
  readonly result: Promise<EngineThought | undefined>;
  /** Ends the search; `result` resolves with the last thought. */
  stop(): void;
}

/** Whether an agent handles a request to stop during a search: only those that search in batches do. */
function isStoppable(agent: string): boolean {
  return agent.startsWith('mcts:model=') || agent.startsWith('policy');
}

interface Pending {
  readonly worker: 'stoppable' | 'unstoppable';
  last: EngineThought | undefined;
  readonly onThought: ((thought: EngineThought) => void) | undefined;
  readonly resolve: (thought: EngineThought | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The page's interface to the engine: two workers of one script. One runs searches that can be stopped; the other, for
 * the rest, is replaced when such a search is stopped.
 */
export class PageEngine {
  private readonly workers = new Map<Pending['worker'], Worker>();
  private readonly pending = new Map<number, Pending>();
  /** Callbacks for the end of each load in progress, by its id. */
  private readonly loads = new Map<number, () => void>();
  private lastId = 0;
  /** Resolves when all searches so far have ended. */
  private ended: Promise<unknown> = Promise.resolve();

  /**
   * Loads the runtime and a game's model ahead of their use.
   *
   * @returns a promise that resolves when they are loaded or have failed to load; a search that needs them reports the
   *   reason.
   */
  load(game: string, rules: string): Promise<void> {
    this.lastId += 1;
    const id = this.lastId;
    const ended = new Promise<void>((resolve) => this.loads.set(id, resolve));
    this.post('stoppable', { kind: 'load', id, game, rules });
    return ended;
  }

  /** Starts a search. */
  think(question: Question, onThought?: (thought: EngineThought) => void): Search {
    this.lastId += 1;
    const id = this.lastId;
    const worker = isStoppable(question.agent) ? 'stoppable' : 'unstoppable';
    const result = new Promise<EngineThought | undefined>((resolve, reject) => {
      this.pending.set(id, { worker, last: undefined, onThought, resolve, reject });
    });
    const others = this.ended;
    this.ended = result.catch(() => undefined).then(() => others);
    this.post(worker, { kind: 'think', id, question });
    return {
      result,
      stop: () => {
        this.stop(id);
      },
    };
  }

  /** Resolves when no search is running. */
  async whenQuiet(): Promise<void> {
    const { ended } = this;
    await ended;
    if (ended !== this.ended) await this.whenQuiet();
  }

  private stop(id: number): void {
    const search = this.pending.get(id);
    if (search === undefined) return;
    this.pending.delete(id);
    search.resolve(search.last);
    if (search.worker === 'stoppable') {
      this.post('stoppable', { kind: 'stop', id });
      return;
    }
    this.workers.get('unstoppable')?.terminate();
    this.workers.delete('unstoppable');
    // Searches that wait behind the stopped one end without a result; their callers may start them again.
    for (const [other, { worker, resolve, last }] of this.pending) {
      if (worker !== 'unstoppable') continue;
      this.pending.delete(other);
      resolve(last);
    }
  }

  private post(kind: Pending['worker'], request: Request): void {
    this.workerOf(kind).postMessage(request);
  }

  private workerOf(kind: Pending['worker']): Worker {
    const known = this.workers.get(kind);
    if (known !== undefined) return known;
    // A separate entry of the build, in the folder of the page's own script.
    const worker = new Worker(new URL(/* @vite-ignore */ WORKER_FILE, import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      this.receive(data);
    };
    worker.onerror = (event) => {
      this.fail(kind, event.message);
    };
    this.workers.set(kind, worker);
    return worker;
  }

  private receive(answer: Answer): void {
    this.loads.get(answer.id)?.();
    this.loads.delete(answer.id);
    const search = this.pending.get(answer.id);
    if (search === undefined || answer.kind === 'loaded') return;
    if (answer.kind === 'failed') {
      this.pending.delete(answer.id);
      search.reject(new Error(answer.message));
      return;
    }
    search.last = answer.thought;
    search.onThought?.(answer.thought);
    if (!answer.isLast) return;
    this.pending.delete(answer.id);
    search.resolve(answer.thought);
  }

  private fail(kind: Pending['worker'], message: string): void {
    // The next search starts another worker.
    this.workers.get(kind)?.terminate();
    this.workers.delete(kind);
    if (kind === 'stoppable') for (const end of this.loads.values()) end();
    for (const [id, search] of this.pending) {
      if (search.worker !== kind) continue;
      this.pending.delete(id);
      search.reject(new Error(message));
    }
  }
}
