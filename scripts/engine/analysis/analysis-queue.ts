import type { RequestId } from '../../line-protocol/json-requests.js';
import type { AnalysisJob } from './analysis-jobs.js';

/** The queue is full when it reaches this number of positions, or of characters in the lines of their queries. */
const MAX_POSITIONS = 10_000;
const MAX_CHARACTERS = 2 ** 25;

/** Positions that wait for their search, those of greater priority first, then in the order in which they came. */
export class AnalysisQueue {
  private jobs: AnalysisJob[] = [];
  private characters = 0;

  /** Whether callers should wait before they add more: waiting positions take memory. */
  get isFull(): boolean {
    return this.jobs.length >= MAX_POSITIONS || this.characters >= MAX_CHARACTERS;
  }

  add(jobs: readonly AnalysisJob[]): void {
    for (const { characters } of jobs) this.characters += characters;
    this.jobs.push(...jobs);
    this.jobs.sort((one, other) => other.priority - one.priority);
  }

  /** Removes the first position. */
  take(): AnalysisJob | undefined {
    const job = this.jobs.shift();
    this.characters -= job?.characters ?? 0;
    return job;
  }

  /** Removes the positions of a query; of all queries if `id` is undefined. */
  remove(id: RequestId | undefined): readonly AnalysisJob[] {
    const removed = this.jobs.filter((job) => id === undefined || job.id === id);
    this.jobs = this.jobs.filter((job) => id !== undefined && job.id !== id);
    for (const { characters } of removed) this.characters -= characters;
    return removed;
  }
}
