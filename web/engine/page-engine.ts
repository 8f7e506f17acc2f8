import type { Answer, EngineThought, Question, Request } from './messages.js';

/** The worker's script, as vite.config.ts names it: it shares the rules of the games with the page. */
const WORKER_FILE = './engine-worker.js';

/** A search under way. */
export interface Search {
  /** The last thought; undefined if it was stopped before there was any. Rejects with `EngineFailure`. */
  readonly result: Promise<EngineThought | undefined>;
  /** Ends the search; `result` resolves with what it has found. */
  stop(): void;
}

/** A search that failed in the worker. */
class EngineFailure extends Error {
  /** The code of the error in the worker. */
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** Agents that search in batches hear a request to stop; others do not while they search. */
function canHear(agent: string): boolean {
  return agent.startsWith('mcts:model=') || agent.startsWith('policy');
}

interface Pending {
  readonly worker: 'hearing' | 'deaf';
  last: EngineThought | undefined;
  readonly onThought: ((thought: EngineThought) => void) | undefined;
  readonly resolve: (thought: EngineThought | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The engine, as the page sees it: two workers of one script, one for the network and one for searches that do not listen,
 * which is replaced when such a search is stopped.
 */
export class PageEngine {
  private readonly workers = new Map<Pending['worker'], Worker>();
  private readonly pending = new Map<number, Pending>();
  /** Loads under way, by what tells that they have ended. */
  private readonly loads = new Map<number, () => void>();
  private lastId = 0;

  /**
   * Loads the runtime and a game's model ahead of their use.
   *
   * @returns resolves when they are there, or cannot be had: the search that needs them tells why.
   */
  load(game: string, rules: string): Promise<void> {
    this.lastId += 1;
    const id = this.lastId;
    const ended = new Promise<void>((resolve) => this.loads.set(id, resolve));
    this.post('hearing', { kind: 'load', id, game, rules });
    return ended;
  }

  /** Starts a search. */
  think(question: Question, onThought?: (thought: EngineThought) => void): Search {
    this.lastId += 1;
    const id = this.lastId;
    const worker = canHear(question.agent) ? 'hearing' : 'deaf';
    const result = new Promise<EngineThought | undefined>((resolve, reject) => {
      this.pending.set(id, { worker, last: undefined, onThought, resolve, reject });
    });
    this.post(worker, { kind: 'think', id, question });
    return {
      result,
      stop: () => {
        this.stop(id);
      },
    };
  }

  private stop(id: number): void {
    const search = this.pending.get(id);
    if (search === undefined) return;
    this.pending.delete(id);
    search.resolve(search.last);
    if (search.worker === 'hearing') {
      this.post('hearing', { kind: 'stop', id });
      return;
    }
    this.workers.get('deaf')?.terminate();
    this.workers.delete('deaf');
    // Those who wait behind the stopped search are asked to ask again.
    for (const [other, { worker, resolve, last }] of this.pending) {
      if (worker !== 'deaf') continue;
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
    // An entry of the build, in the folder of the page's own script.
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
      search.reject(new EngineFailure(answer.message, answer.code));
      return;
    }
    search.last = answer.thought;
    search.onThought?.(answer.thought);
    if (!answer.isLast) return;
    this.pending.delete(answer.id);
    search.resolve(answer.thought);
  }

  private fail(kind: Pending['worker'], message: string): void {
    if (kind === 'hearing') for (const end of this.loads.values()) end();
    for (const [id, search] of this.pending) {
      if (search.worker !== kind) continue;
      this.pending.delete(id);
      search.reject(new EngineFailure(message, 'engine-failed'));
    }
  }
}
