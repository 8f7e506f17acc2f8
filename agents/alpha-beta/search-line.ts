import { type Game, opponentOf, outcomeTo } from '../../env/game.js';
import type { AlphaBetaLimits } from './alpha-beta-options.js';
import { NodeBudget } from './node-budget.js';
import { NO_VALUE, WIN } from './search-values.js';

/** Leeway of a node under a threat. */
export const NOTHING = 0;
/** Leeway of any other node: late moves may be searched less deep. */
export const PLIES = 1;
/** Leeway without a threat in a null window between unproven values: moves, even all, may be skipped. */
export const MOVES = 2;

/**
 * The line under search, from the root to the current node, as flat arrays by ply; `P` is the greatest number of plies.
 * Nodes of one ply overwrite each other.
 */
export class SearchLine<State> {
  readonly game: Game<State>;
  readonly budget = new NodeBudget();
  /** The position under search; a copy, so that a search can be abandoned midway. */
  state: State;
  /** `[P]` window of the node at each ply. */
  readonly alphas: Int32Array;
  readonly betas: Int32Array;
  /** `[P]` best value and action of the node at each ply so far, and the number of actions tried. */
  readonly bestValues: Int32Array;
  readonly bestActions: Int32Array;
  readonly tried: Int32Array;
  /** `[P]` what may be left out: `NOTHING`, `PLIES` or `MOVES`. */
  readonly leeway: Uint8Array;
  /** `[P]` 1 where the previous move was a pass. */
  readonly passed: Uint8Array;
  /** `[P]` buffers of the legal actions of each ply, and of their orders; allocated on first use. */
  private readonly actions: Int32Array[] = [];
  private readonly orders: Float64Array[] = [];

  constructor(game: Game<State>, maxPlies: number) {
    this.game = game;
    this.state = game.initialState();
    this.alphas = new Int32Array(maxPlies);
    this.betas = new Int32Array(maxPlies);
    this.bestValues = new Int32Array(maxPlies);
    this.bestActions = new Int32Array(maxPlies);
    this.tried = new Int32Array(maxPlies);
    this.leeway = new Uint8Array(maxPlies);
    this.passed = new Uint8Array(maxPlies);
  }

  /** Makes a copy of `state` the root of a new search. */
  begin(state: State, limits: AlphaBetaLimits): void {
    this.state = this.game.clone(state);
    this.budget.begin(limits);
    this.passed.fill(0);
  }

  /** `[L]` scratch for the legal actions of the node at `ply`. */
  actionsAt(ply: number): Int32Array {
    return (this.actions[ply] ??= new Int32Array(this.game.maxLegalActions));
  }

  /** `[L]` scratch for the orders of these actions. */
  ordersAt(ply: number): Float64Array {
    return (this.orders[ply] ??= new Float64Array(this.game.maxLegalActions));
  }

  /**
   * Counts the position just reached at `ply` as a node.
   *
   * @returns its value to the player who moved there if the game is over, else `NO_VALUE`.
   * @throws `OUT_OF_LIMIT`.
   */
  valueOfEnd(ply: number): number {
    this.budget.spend();
    const outcome = this.game.outcome(this.state);
    if (outcome === null) return NO_VALUE;
    const mover = opponentOf(this.game.currentPlayer(this.state));
    return outcomeTo(mover, outcome) * (WIN - ply);
  }
}
