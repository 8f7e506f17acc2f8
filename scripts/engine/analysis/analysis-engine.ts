import { isDeepStrictEqual } from 'node:util';
import type { Thought } from '../../../agents/thinking/thinking.js';
import { IllegalActionError } from '../../../env/errors.js';
import type { Game } from '../../../env/game.js';
import { createGame } from '../../../env/games.js';
import { expectMoveToMake, positionAfter } from '../../../env/replay/replay.js';
import { softwareVersion } from '../../../training/software-version.js';
import { errorAnswer, idOf, parseLine, type RequestId } from '../../line-protocol/json-requests.js';
import { positionJson } from '../../report/game-analysis/position-text.js';
import type { SearchPlayer } from '../search-messages.js';
import { ThreadThinker } from '../thread-thinker.js';
import { type AnalysisDefaults, type AnalysisJob, jobsOf, movesTo } from './analysis-jobs.js';
import { type AnalysisAction, parseQuery } from './analysis-queries.js';
import { AnalysisQueue } from './analysis-queue.js';

/** The priors of all legal moves as JSON, the greatest first; null if the agent has none. */
function policyJson(game: Game<unknown>, { policy }: Thought): readonly object[] | null {
  if (policy === undefined) return null;
  const sorted = policy.toSorted((one, other) => other.prior - one.prior);
  return sorted.map(({ action, prior }) => ({ move: game.formatAction(action), prior }));
}

/**
 * Answers queries, each a line of JSON, with lines of JSON (docs/reference/engine.md). It searches one position at a
 * time, and independently of the others: answers do not depend on earlier queries.
 */
export class AnalysisEngine {
  private readonly defaults: AnalysisDefaults;
  private readonly write: (line: string) => Promise<void>;
  private readonly queue = new AnalysisQueue();
  private thinker: ThreadThinker | undefined;
  private player: SearchPlayer | undefined;
  /** The position that is being searched, or that waits for its agent to load. */
  private current: AnalysisJob | undefined;
  private isTerminated = false;
  private working: Promise<void> | undefined;
  private onRoom: (() => void) | undefined;

  /** @param write receives each line of output; the next search begins when its promise has resolved. */
  constructor(defaults: AnalysisDefaults, write: (line: string) => Promise<void>) {
    this.defaults = defaults;
    this.write = write;
  }

  /**
   * Takes a line: a query or an action.
   *
   * @returns a promise that resolves when the next line may come.
   */
  async receive(line: string): Promise<void> {
    let id: RequestId | null = null;
    try {
      const json = parseLine(line);
      id = idOf(json);
      const query = parseQuery(json);
      if ('action' in query) await this.act(query);
      else this.enqueue(jobsOf(query, this.defaults, line.length));
    } catch (error) {
      await this.write(errorAnswer(id, error));
    }
    if (!this.queue.isFull) return;
    await new Promise<void>((resolve) => {
      this.onRoom = resolve;
    });
  }

  /** Answers a line that cannot be read. */
  async refuse(error: unknown): Promise<void> {
    await this.write(errorAnswer(null, error));
  }

  /** Waits until all queries have been answered. */
  async finish(): Promise<void> {
    await this.working;
  }

  /** Ends the search thread. */
  async close(): Promise<void> {
    const { thinker } = this;
    this.thinker = undefined;
    this.player = undefined;
    await thinker?.close();
  }

  private async act(action: AnalysisAction): Promise<void> {
    if (action.action === 'query_version') {
      await this.write(JSON.stringify({ ...action, version: softwareVersion() }));
      return;
    }
    const ended = action.action === 'terminate' ? action.terminateId : undefined;
    const removed = this.queue.remove(ended);
    if (this.current !== undefined && (ended === undefined || this.current.id === ended)) {
      this.isTerminated = true;
      this.thinker?.stop();
    }
    await this.write(JSON.stringify(action));
    for (const job of removed) await this.answerNothing(job);
  }

  private enqueue(jobs: readonly AnalysisJob[]): void {
    this.queue.add(jobs);
    this.working ??= this.work();
  }

  private async work(): Promise<void> {
    for (let job = this.queue.take(); job !== undefined; job = this.queue.take()) {
      this.current = job;
      this.isTerminated = false;
      try {
        await this.search(job);
      } catch (error) {
        // The next search starts another thread.
        if (!(error instanceof IllegalActionError)) await this.close();
        await this.write(errorAnswer(job.id, error, { turn: job.turn }));
      }
      this.current = undefined;
      if (!this.queue.isFull) this.onRoom?.();
    }
    this.working = undefined;
  }

  private async search(job: AnalysisJob): Promise<void> {
    const { player, id, turn } = job;
    const search = { ...job.search, moves: movesTo(job) };
    const game = createGame(player.game, player.rules);
    const state = positionAfter(game, search);
    expectMoveToMake(game, state);
    const thinker = this.thinkerOf(player);
    const agent = await thinker.ready();
    if (this.isTerminated) {
      await this.answerNothing(job);
      return;
    }
    const start = performance.now();
    const tell = (thought: Thought, isDuringSearch: boolean): Promise<void> => {
      const found = { game, state, agent, thought, milliseconds: Math.round(performance.now() - start) };
      const policy = search.withPolicy === true && { policy: policyJson(game, thought) };
      return this.write(JSON.stringify({ id, turn, isDuringSearch, ...positionJson(found), ...policy }));
    };
    let written: Promise<void> | undefined;
    const report = (thought: Thought): void => {
      // A slow reader gets fewer thoughts. If writing one fails, the answer fails too.
      written ??= tell(thought, true)
        .catch(() => undefined)
        .finally(() => {
          written = undefined;
        });
    };
    const thought = await thinker.think(search, job.reportsDuringSearch ? report : undefined);
    await tell(thought, false);
  }

  /** The agent in the thread, loaded or being loaded. */
  private thinkerOf(player: SearchPlayer): ThreadThinker {
    if (this.thinker === undefined) this.thinker = new ThreadThinker(player);
    else if (!isDeepStrictEqual(this.player, player)) this.thinker.change(player);
    this.player = player;
    return this.thinker;
  }

  /** Writes the answer for a position that was not searched. */
  private async answerNothing({ id, turn }: AnalysisJob): Promise<void> {
    await this.write(JSON.stringify({ id, turn, noResults: true }));
  }
}
