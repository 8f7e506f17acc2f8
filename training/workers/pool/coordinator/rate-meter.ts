/** Numbers of games and of their network evaluations. */
export interface Work {
  readonly games: number;
  readonly evaluations: number;
}

/** Ticks over which a rate is averaged: five minutes of the coordinator's ticks. */
const WINDOW_TICKS = 60;

/** Work per second over the last minutes, measured in the owner's ticks. */
export class RateMeter {
  private readonly tickMs: number;
  /** Work of each tick, the current one last. */
  private ticks: Work[] = [{ games: 0, evaluations: 0 }];

  /** @param tickMs milliseconds between two calls of `tick`. */
  constructor(tickMs: number) {
    this.tickMs = tickMs;
  }

  /** Records finished work. */
  add({ games, evaluations }: Work): void {
    const last = this.ticks.at(-1)!;
    this.ticks[this.ticks.length - 1] = {
      games: last.games + games,
      evaluations: last.evaluations + evaluations,
    };
  }

  /** Records that `tickMs` have passed. */
  tick(): void {
    this.ticks = [...this.ticks.slice(1 - WINDOW_TICKS), { games: 0, evaluations: 0 }];
  }

  /** Work per second, and the seconds over which it is averaged. */
  rate(): Work & { readonly seconds: number } {
    const seconds = (this.ticks.length * this.tickMs) / 1000;
    const sum = (key: keyof Work): number => this.ticks.reduce((total, each) => total + each[key], 0);
    return { games: sum('games') / seconds, evaluations: sum('evaluations') / seconds, seconds };
  }
}
