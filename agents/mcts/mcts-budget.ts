/** How one search of a game goes: what ends it, and whether it explores. */
export interface SearchEffort {
  /** Simulations, at most those of the configuration; those by default. */
  readonly simulations?: number;
  /** Positions handed to the evaluator, the root included, after which no new simulation starts. */
  readonly nodes?: number;
  /** Time of `performance.now()` from which on no new simulation starts. */
  readonly deadlineMs?: number;
  /** Whether with noise, where the search has any; true by default. */
  readonly explores?: boolean;
}

/** Counts what a search spends, and says when it may start no more. Looks at the clock only where there is a deadline. */
export class SearchBudget {
  /** Simulations that are finished or under way. */
  started = 0;
  /** Greatest number of simulations. */
  simulations = 0;
  private nodes = 0;
  private nodeLimit = Infinity;
  private deadlineMs = Infinity;

  /**
   * Starts to count, from now.
   *
   * @param simulations greatest number of them, whatever `effort` says.
   */
  begin(effort: SearchEffort, simulations: number): void {
    this.started = 0;
    this.nodes = 0;
    this.simulations = Math.min(simulations, effort.simulations ?? simulations);
    this.nodeLimit = effort.nodes ?? Infinity;
    this.deadlineMs = effort.deadlineMs ?? Infinity;
  }

  /** Notes that a position is handed to the evaluator. */
  spendNode(): void {
    this.nodes += 1;
  }

  get isSpent(): boolean {
    if (this.started >= this.simulations || this.nodes >= this.nodeLimit) return true;
    return this.deadlineMs !== Infinity && performance.now() >= this.deadlineMs;
  }
}
