import { isDeepStrictEqual } from 'node:util';
import type { SearchJob } from '../../agents/thinking/search-job.js';
import type { Thought } from '../../agents/thinking/thinking.js';
import type { Action } from '../../env/game.js';
import type { SearchPlayer, SearchReport } from './search-messages.js';
import { SearchThread } from './search-thread.js';

/** Time after `stop` in which the search may answer; after that the last thought is the answer. */
const STOP_MS = 30;

/** Receives what a session finds. */
export interface SessionListener {
  /** The player of the last `prepare` is loaded. */
  readonly onReady: () => void;
  /** A thought that adds more than nodes to the one before. */
  readonly onThought: (thought: Thought, milliseconds: number) => void;
  /** The search has ended. */
  readonly onMove: (action: Action) => void;
  /** The player could not be loaded, or failed; a running search has ended. */
  readonly onFailure: (code: string, message: string) => void;
}

/** A search, and the answer if it is stopped before it has found anything. */
export interface SessionSearch {
  readonly job: SearchJob;
  readonly anyMove: Action;
}

/** Searches of one player, one at a time, each of which ends soon after it is stopped. */
export class SearchSession {
  private readonly listener: SessionListener;
  private thread: SearchThread | undefined;
  private wanted: SearchPlayer | undefined;
  private loading: SearchPlayer | undefined;
  private loaded: SearchPlayer | undefined;
  /** The running search, or one that waits for the player to load or for an earlier search to end. */
  private search: SessionSearch | undefined;
  private isStopped = false;
  /** Whether the thread is still ending a search that has been answered. */
  private isDraining = false;
  private thought: Thought | undefined;
  private stopTimer: NodeJS.Timeout | undefined;

  constructor(listener: SessionListener) {
    this.listener = listener;
  }

  /** Whether this player is loaded. */
  isReady(player: SearchPlayer): boolean {
    return isDeepStrictEqual(this.loaded, player);
  }

  /** Loads a player, unless it is loaded. */
  prepare(player: SearchPlayer): void {
    this.wanted = player;
    if (this.loading !== undefined) return;
    if (this.isReady(player)) this.listener.onReady();
    else this.load();
  }

  /** Forgets what earlier searches found. */
  newGame(): void {
    this.thread?.newGame();
  }

  /** Starts a search of a player, which is loaded first. */
  start(player: SearchPlayer, search: SessionSearch): void {
    this.search = search;
    this.isStopped = false;
    this.wanted = player;
    this.proceed();
  }

  /** Ends the search; `onMove` is called within about 30 ms, unless the player is still being loaded. */
  stop(): void {
    if (this.search === undefined || this.isStopped) return;
    this.isStopped = true;
    if (this.isSearching) this.stopSearching();
  }

  /** Ends the search and the thread. */
  async close(): Promise<void> {
    clearTimeout(this.stopTimer);
    const { thread } = this;
    this.thread = undefined;
    await thread?.close();
  }

  /** Whether the thread runs the search. */
  private get isSearching(): boolean {
    return this.loading === undefined && !this.isDraining;
  }

  private load(): void {
    this.loading = this.wanted!;
    this.loaded = undefined;
    this.thread ??= new SearchThread((report) => {
      this.receive(report);
    });
    this.thread.load(this.loading);
  }

  /** Loads the player or starts the search, whichever is due. */
  private proceed(): void {
    if (this.loading !== undefined || this.isDraining) return;
    if (!this.isReady(this.wanted!)) {
      this.load();
      return;
    }
    if (this.search === undefined) return;
    this.thought = undefined;
    this.thread!.search(this.search.job);
    // `stop` was called before the search began.
    if (this.isStopped) this.stopSearching();
  }

  private stopSearching(): void {
    this.thread!.stop();
    this.stopTimer = setTimeout(() => {
      this.isDraining = true;
      this.endSearch(this.thought?.candidates[0]!.action ?? this.search!.anyMove);
    }, STOP_MS);
  }

  private receive(report: SearchReport): void {
    switch (report.kind) {
      case 'loaded':
        this.loaded = this.loading;
        this.loading = undefined;
        if (this.isReady(this.wanted!)) this.listener.onReady();
        this.proceed();
        break;
      case 'thought':
        if (!this.isDraining) this.tell(report.thought, report.milliseconds);
        break;
      case 'done':
        this.finish(report.thought, report.milliseconds);
        break;
      case 'failed':
        this.fail(report.code, report.message);
    }
  }

  private finish(thought: Thought, milliseconds: number): void {
    if (this.isDraining) {
      this.isDraining = false;
      this.proceed();
      return;
    }
    this.tell(thought, milliseconds);
    this.endSearch(thought.candidates[0]!.action);
  }

  /** Passes a thought on, unless it only adds nodes to the last one. */
  private tell(thought: Thought, milliseconds: number): void {
    const isKnown = isDeepStrictEqual({ ...thought, nodes: 0 }, { ...this.thought, nodes: 0 });
    this.thought = thought;
    if (!isKnown) this.listener.onThought(thought, milliseconds);
  }

  private endSearch(action: Action): void {
    clearTimeout(this.stopTimer);
    this.search = undefined;
    this.listener.onMove(action);
  }

  /** The next request starts another thread. */
  private fail(code: string, message: string): void {
    void this.close();
    this.loading = undefined;
    this.loaded = undefined;
    this.isDraining = false;
    this.search = undefined;
    this.listener.onFailure(code, message);
  }
}
