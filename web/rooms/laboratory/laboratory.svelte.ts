import type { Action } from '../../../env/game.js';
import type { Scores } from './judge.js';
import type { LaboratoryAnswer, LaboratoryRequest } from './laboratory-messages.js';
import type { LearntGeneration, Progress } from './learning-run.js';

/** A generation as the page shows it; its weights are with the workers. */
export interface ShownGeneration {
  readonly number: number;
  /** Null for generation 0, which has not learnt. */
  readonly learnt: Omit<LearntGeneration, 'weights' | 'number'> | null;
  /** Null until its matches are over. */
  readonly scores: Scores | null;
}

/** State of the run. */
export type LaboratoryStatus = 'idle' | 'loading' | 'running' | 'paused' | 'failed';

/** A run of learning, in two workers: one learns, the other lets generations play. */
export class Laboratory {
  status = $state<LaboratoryStatus>('idle');
  progress = $state.raw<Progress | null>(null);
  /** From generation 0 on. */
  generations = $state.raw<readonly ShownGeneration[]>([]);
  failure = $state<string | null>(null);
  /** Milliseconds of the run, without pauses, as of its last message. */
  spentMs = $state(0);
  private resumedMs = 0;
  private learner: Worker | null = null;
  private judge: Worker | null = null;
  private readonly choices = new Map<number, (action: Action | null) => void>();
  private lastId = 0;

  /** The newest generation whose matches are over; undefined if there is none. */
  readonly newest: ShownGeneration | undefined = $derived(
    this.generations.findLast(({ scores }) => scores !== null),
  );

  /** Begins a run. */
  start(): void {
    this.end();
    const seed = Math.floor(Math.random() * 2 ** 31);
    this.status = 'loading';
    this.learner = this.open();
    this.judge = this.open();
    this.learner.postMessage({ kind: 'learn', seed } satisfies LaboratoryRequest);
    this.judge.postMessage({ kind: 'judge', seed } satisfies LaboratoryRequest);
    this.resumedMs = performance.now();
  }

  /** Pauses the run after the current batch. */
  pause(): void {
    this.tellTime();
    this.status = 'paused';
    this.post({ kind: 'pause' });
  }

  resume(): void {
    this.resumedMs = performance.now();
    this.status = 'running';
    this.post({ kind: 'resume' });
  }

  /** Ends the run at once and forgets it. */
  end(): void {
    this.close();
    this.status = 'idle';
    this.failure = null;
    this.progress = null;
    this.generations = [];
    this.spentMs = 0;
  }

  /** A generation's move; null if the run ends first. Works while the run is paused, too. */
  choose(generation: number, actions: readonly Action[], simulations: number): Promise<Action | null> {
    const { judge } = this;
    if (judge === null) return Promise.resolve(null);
    this.lastId += 1;
    const id = this.lastId;
    const request: LaboratoryRequest = { kind: 'choose', generation, actions, simulations, id };
    return new Promise((resolve) => {
      this.choices.set(id, resolve);
      judge.postMessage(request);
    });
  }

  private open(): Worker {
    const worker = new Worker(new URL('./laboratory-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<LaboratoryAnswer>) => {
      this.receive(data);
    };
    worker.onerror = ({ message }: ErrorEvent) => {
      this.fail(message || 'The laboratory could not be loaded.');
    };
    return worker;
  }

  private post(request: LaboratoryRequest): void {
    this.learner?.postMessage(request);
    this.judge?.postMessage(request);
  }

  private close(): void {
    for (const worker of [this.learner, this.judge]) worker?.terminate();
    this.learner = null;
    this.judge = null;
    for (const resolve of this.choices.values()) resolve(null);
    this.choices.clear();
  }

  private fail(message: string): void {
    this.close();
    this.status = 'failed';
    this.failure = message;
  }

  private tellTime(): void {
    if (this.status === 'paused') return;
    const now = performance.now();
    this.spentMs += now - this.resumedMs;
    this.resumedMs = now;
  }

  private receive(answer: LaboratoryAnswer): void {
    this.tellTime();
    switch (answer.kind) {
      case 'untrained':
        if (this.status === 'loading') this.status = 'running';
        this.add(0, answer.weights, null);
        return;
      case 'progress':
        this.progress = answer.progress;
        return;
      case 'learnt': {
        const { number, weights, ...learnt } = answer.generation;
        this.add(number, weights, learnt);
        return;
      }
      case 'scored': {
        const { scores } = answer;
        this.generations = this.generations.map((each) =>
          each.number === scores.generation ? { ...each, scores } : each,
        );
        return;
      }
      case 'chosen':
        this.choices.get(answer.id)?.(answer.action);
        this.choices.delete(answer.id);
        return;
      case 'failed':
        this.fail(answer.message);
    }
  }

  private add(number: number, weights: Float32Array, learnt: ShownGeneration['learnt']): void {
    this.generations = [...this.generations, { number, learnt, scores: null }];
    this.judge?.postMessage({ kind: 'add', generation: number, weights } satisfies LaboratoryRequest);
  }
}

/** The page's run, which continues while other rooms are open. */
export const laboratory = new Laboratory();
