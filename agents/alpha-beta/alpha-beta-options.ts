import type { Action } from '../../env/game.js';

/** What ends a search; at least one of them. */
export interface AlphaBetaLimits {
  /** Plies, 1..64. Lines that matter are searched further (quiescence), others less far (reductions). */
  readonly depth?: number;
  /** Positions visited. The same limit gives the same result. */
  readonly nodes?: number;
  readonly timeMs?: number;
}

/** What a search found out. */
export interface AlphaBetaResult {
  readonly action: Action;
  /** To the player to move, in units of the evaluation; beyond `PROVEN` a win or loss. */
  readonly value: number;
  /** Plies of the last iteration that was finished. */
  readonly depth: number;
  readonly nodes: number;
  readonly principalVariation: readonly Action[];
}

/** How to search. The defaults are the strongest; tests turn one after another off (docs/search.md). */
export interface AlphaBetaOptions {
  /** Entries of the transposition table, a power of two, 4 or more; 0: none. Default 65,536. */
  readonly tableSize?: number;
  /** Keep the table for the next search. Then a result depends on the searches before it. Default false. */
  readonly keepTable?: boolean;
  /** Past the last ply: wins in one, captures that gain, answers to threats. Default true. */
  readonly quiescence?: boolean;
  /** Start an iteration with a narrow window around the last one's value. Default true. */
  readonly aspiration?: boolean;
  /** Search late quiet moves less deep first. Default true. */
  readonly lateMoveReductions?: boolean;
  /** Skip nodes that are good enough even after passing. Default true. */
  readonly nullMove?: boolean;
  /** Give up lines that cannot end sooner than one that is known. Default true. */
  readonly mateDistance?: boolean;
  /** Value what comes back to a position of the game or the line as even, unless it is proven. Default true. */
  readonly repetition?: boolean;
  /** Whether values depend on how a position came about, by a ko rule. Default: what the rules say. */
  readonly dependsOnHistory?: boolean;
}

/** A search by the book: only what leaves the result that of plain minimax. */
export const PLAIN: AlphaBetaOptions = {
  tableSize: 0,
  quiescence: false,
  aspiration: false,
  lateMoveReductions: false,
  nullMove: false,
  mateDistance: false,
  repetition: false,
};
