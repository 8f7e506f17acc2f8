/** Effort of one search: its limits, and whether it explores. */
export interface SearchEffort {
  /** Simulations, at most those of the configuration; those by default. */
  readonly simulations?: number | undefined;
  /** Positions handed to the evaluator, the root included, after which no new simulation starts. */
  readonly nodes?: number | undefined;
  /** Time of `performance.now()` after which no new simulation starts. */
  readonly deadlineMs?: number | undefined;
  /** Polled before each simulation: true prevents it. */
  readonly shouldStop?: (() => boolean) | undefined;
  /** Whether to use the search's noise, if it has any, and consider all actions of a Gumbel root; true by default. */
  readonly explores?: boolean;
}

/** The time of `performance.now()` that lies `timeMs` ahead; undefined without a limit. */
export function deadlineIn(timeMs: number | undefined): number | undefined {
  return timeMs === undefined ? undefined : performance.now() + timeMs;
}

/** Counts the simulations and nodes of a search up to its limits. Reads the clock only if there is a deadline. */
export class SimulationBudget {
  /** Simulations that are finished or under way. */
  started = 0;
  /** Greatest number of simulations. */
  simulations = 0;
  private nodes = 0;
  /** Greatest number of positions handed to the evaluator. */
  nodeLimit = Infinity;
  private deadlineMs = Infinity;
  private shouldStop: (() => boolean) | undefined;

  /**
   * Starts counting from 0.
   *
   * @param simulations greatest number of simulations, regardless of `effort`.
   */
  begin(effort: SearchEffort, simulations: number): void {
    this.started = 0;
    this.nodes = 0;
    this.simulations = Math.min(simulations, effort.simulations ?? simulations);
    this.nodeLimit = effort.nodes ?? Infinity;
    this.deadlineMs = effort.deadlineMs ?? Infinity;
    this.shouldStop = effort.shouldStop;
  }

  /** Counts a position handed to the evaluator. */
  spendNode(): void {
    this.nodes += 1;
  }

  /** Whether no new simulation may start. */
  get isSpent(): boolean {
    if (this.started >= this.simulations || this.nodes >= this.nodeLimit) return true;
    if (this.shouldStop?.() === true) return true;
    return this.deadlineMs !== Infinity && performance.now() >= this.deadlineMs;
  }
}
