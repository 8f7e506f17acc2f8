import type { Selectivity } from '../../env/definition/selectivity.js';
import type { Action } from '../../env/game.js';

/** Limits of a search; without any it goes as deep as 64 plies. */
export interface AlphaBetaLimits {
  /** Plies, 1..64. Quiescence extends some lines, reductions shorten others. */
  readonly depth?: number | undefined;
  /** Positions visited. Equal limits give equal results. */
  readonly nodes?: number | undefined;
  readonly timeMs?: number | undefined;
  /** Polled every 256 nodes: true ends the search like a limit. */
  readonly shouldStop?: () => boolean;
}

/** The result of a search. */
export interface AlphaBetaResult {
  readonly action: Action;
  /** To the player to move, in units of the evaluation; beyond `PROVEN` a win or loss. */
  readonly value: number;
  /** Depth of the last finished iteration. */
  readonly depth: number;
  readonly nodes: number;
  readonly principalVariation: readonly Action[];
}

/** Techniques of the search (docs/explanation/search.md). The defaults are the strongest. */
export interface AlphaBetaOptions {
  /** Entries of the transposition table, a power of two, 4 or more; 0: none. Default 65,536. */
  readonly tableSize?: number;
  /**
   * Whether a search with a time limit begins with the table and half of the history of the search before; then its
   * result depends on that search. Default false.
   */
  readonly remembers?: boolean;
  /** Quiescence beyond the last ply: wins in one, captures that gain, answers to threats. Default true. */
  readonly quiescence?: boolean;
  /** Start an iteration with a narrow window around the last value. Default true. */
  readonly aspiration?: boolean;
  /** Reductions and pruning; null: none. Default: the evaluation's, else reductions by one or two plies. */
  readonly selectivity?: Selectivity | null;
  /** Prune nodes whose value is high enough even after passing. Default true. */
  readonly nullMove?: boolean;
  /** Prune lines that cannot end sooner than a known one. Default true. */
  readonly mateDistance?: boolean;
  /** Value repeated positions of the game or the line as even, unless proven otherwise. Default true. */
  readonly repetition?: boolean;
  /** Whether a ko rule makes values depend on earlier positions. Default: the evaluation's `dependsOnHistory`. */
  readonly dependsOnHistory?: boolean;
}

/** Alpha-beta without further techniques: its values are those of minimax. */
export const PLAIN: AlphaBetaOptions = {
  tableSize: 0,
  quiescence: false,
  aspiration: false,
  selectivity: null,
  nullMove: false,
  mateDistance: false,
  repetition: false,
};
