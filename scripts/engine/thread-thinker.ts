import type { SearchJob } from '../../agents/thinking/search-job.js';
import type { Thought } from '../../agents/thinking/thinking.js';
import { CodedError } from '../../env/errors.js';
import type { SearchPlayer, SearchReport } from './search-messages.js';
import { SearchThread } from './search-thread.js';

type Loaded = Extract<SearchReport, { kind: 'loaded' }>;
type Done = Extract<SearchReport, { kind: 'done' }>;
type Failed = Extract<SearchReport, { kind: 'failed' }>;

/** Thrown for an agent that cannot be loaded or fails in its thread, with the codes that it failed with. */
class ThreadError extends CodedError {
  override readonly name = 'ThreadError';
  override readonly exitCode: CodedError['exitCode'];

  constructor({ code, message, exitCode }: Failed) {
    super(code, message);
    this.exitCode = exitCode;
  }
}

interface Waiting {
  readonly resolve: (report: Loaded | Done) => void;
  readonly reject: (error: CodedError) => void;
}

/** An agent that thinks in a thread of its own, so that keys are read meanwhile. One search at a time. */
export class ThreadThinker {
  private readonly thread: SearchThread;
  private waiting: Waiting | undefined;
  private onThought: ((thought: Thought) => void) | undefined;
  private loaded: Promise<unknown>;
  private isStopped = false;
  private readonly errorOf: (failure: Failed) => CodedError;

  /** @param errorOf makes the error of a failure; a `ThreadError` by default. */
  constructor(player: SearchPlayer, errorOf = (failure: Failed): CodedError => new ThreadError(failure)) {
    this.errorOf = errorOf;
    this.thread = new SearchThread((report) => {
      this.receive(report);
    });
    this.loaded = this.load(player);
  }

  /** Replaces the agent, in the same thread; not during a search. `ready` reports whether the new one can be loaded. */
  change(player: SearchPlayer): void {
    this.loaded = this.load(player);
  }

  /**
   * Waits until the agent is loaded.
   *
   * @returns its text with defaults filled in.
   * @throws the error of `errorOf` for an agent that cannot be loaded.
   */
  async ready(): Promise<string> {
    return ((await this.loaded) as Loaded).name;
  }

  /**
   * Searches a position until the limits are reached or `stop` is called.
   *
   * @param onThought receives thoughts on the way.
   * @throws as `ready`, or if the search fails.
   */
  async think(job: SearchJob, onThought?: (thought: Thought) => void): Promise<Thought> {
    this.isStopped = false;
    this.onThought = onThought;
    await this.loaded;
    const report = await this.ask(() => {
      this.thread.search(job);
      // `stop` was called while the agent was loading.
      if (this.isStopped) this.thread.stop();
    });
    return (report as Done).thought;
  }

  /** Asks the running search to end with what it has found. */
  stop(): void {
    this.isStopped = true;
    this.thread.stop();
  }

  /** Forgets what earlier searches found. */
  newGame(): void {
    this.thread.newGame();
  }

  async close(): Promise<void> {
    await this.thread.close();
  }

  private load(player: SearchPlayer): Promise<unknown> {
    const loaded = this.ask(() => {
      this.thread.load(player);
    });
    // `ready` reports the failure to its callers.
    loaded.catch(() => undefined);
    return loaded;
  }

  private async ask(request: () => void): Promise<Loaded | Done> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      request();
    });
  }

  private receive(report: SearchReport): void {
    if (report.kind === 'thought') {
      this.onThought?.(report.thought);
      return;
    }
    const { waiting } = this;
    this.waiting = undefined;
    if (report.kind !== 'failed') waiting?.resolve(report);
    else waiting?.reject(this.errorOf(report));
  }
}
