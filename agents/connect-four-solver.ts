import { COLUMNS, type ConnectFourState, NUM_CELLS } from '../env/connect-four/connect-four-position.js';
import type { Action, Outcome, Player } from '../env/game.js';
import {
  BIT,
  CELLS_OF,
  EVEN_CELLS,
  IS_EVEN,
  keyOf,
  LINE_WORTH,
  LINES_OF,
  MIRRORED_BIT,
  NUM_LINES,
} from './connect-four-cells.js';

/** Entries of the table, 9 bytes each: a prime, so that keys spread evenly. */
const TABLE_SIZE = 8_388_593;
/** Marks an empty entry; others hold a position's bounds: (lower + 2) * 4 + upper + 1. */
const NOTHING = 0;
/** Columns from the middle outwards: the order of moves with equal worth. */
const MIDDLE_FIRST = Int32Array.of(3, 2, 4, 1, 5, 0, 6);

const CHECK_NODES = 4096;
/** Thrown by a search that was stopped. */
export const SOLVER_STOPPED = new Error('the search was stopped');

/** The solution of a position. */
export interface ConnectFourSolution {
  /** With best play, to the player to move. */
  readonly value: Outcome;
  /** A move that keeps this value. */
  readonly action: Action;
  /** Positions visited. */
  readonly nodes: number;
}

/**
 * Solves Connect Four: finds the winner with best play, but not the length of the game. Alpha-beta to the end of the
 * game, with a table in which mirror images share an entry; a move is forced if the opponent would win there, and no
 * move is tried below a square on which the opponent would win (Allis 1988 has the first solution; these rules are the
 * simplest of his).
 */
export class ConnectFourSolver {
  /** `[2, lines]` stones of each player on each line. */
  private readonly counts = new Uint8Array(2 * NUM_LINES);
  /** `[2, cells]` lines that each player would complete there. */
  private readonly threats = new Uint8Array(2 * NUM_CELLS);
  /** `[cells]` 1 where there is a stone. */
  private readonly taken = new Uint8Array(NUM_CELLS);
  /** `[lines]` empty squares of each line in the second, fourth and sixth row. */
  private readonly evenGaps = new Uint8Array(NUM_LINES);
  /** Columns with an odd number of stones. */
  private oddColumns = 0;
  /** `[columns]` the lowest empty cell of each column; `NUM_CELLS` or above if the column is full. */
  private readonly nextCells = new Uint8Array(COLUMNS);
  /** `[2]` sum of the bits of each player's stones, and of their mirror images. */
  private readonly bits = new Float64Array(2);
  private readonly mirroredBits = new Float64Array(2);
  /** `[cells + 1, columns]` the columns to try at each ply, and the values by which they are sorted. */
  private readonly moves = new Uint8Array((NUM_CELLS + 1) * COLUMNS);
  private readonly orders = new Int32Array((NUM_CELLS + 1) * COLUMNS);
  private readonly keys = new Float64Array(TABLE_SIZE);
  private readonly known = new Uint8Array(TABLE_SIZE);
  private ply = 0;
  private nodes = 0;
  private shouldStop: (() => boolean) | undefined;

  /**
   * Solves a position that is not over and is left unchanged. Results of earlier calls speed it up.
   *
   * @param shouldStop polled every few milliseconds: true ends the search. By default nothing stops it.
   * @throws `SOLVER_STOPPED`.
   */
  solve(state: ConnectFourState, shouldStop?: () => boolean): ConnectFourSolution {
    this.shouldStop = shouldStop;
    this.begin(state);
    const winning = this.winningColumn(this.mover());
    if (winning !== undefined) return { value: 1, action: winning, nodes: 1 };
    // Two searches with empty windows cost less than one with a full window.
    const value = this.search(0, 1) > 0 ? 1 : this.search(-1, 0) < 0 ? -1 : 0;
    for (const column of MIDDLE_FIRST) {
      if (this.nextCells[column]! >= NUM_CELLS) continue;
      if (this.valueOf(column, value - 1, value) >= value)
        return { value, action: column, nodes: this.nodes };
    }
    throw new Error(`no move of ${state.ply} keeps the value ${value}`);
  }

  private mover(): Player {
    return (this.ply & 1) as Player;
  }

  private begin(state: ConnectFourState): void {
    this.counts.fill(0);
    this.threats.fill(0);
    this.taken.fill(0);
    this.bits.fill(0);
    this.mirroredBits.fill(0);
    this.evenGaps.set(EVEN_CELLS);
    this.oddColumns = 0;
    for (let column = 0; column < COLUMNS; column++) this.nextCells[column] = column;
    this.nodes = 0;
    for (const [cell, stone] of state.cells.entries()) {
      if (stone !== 0) this.place((stone - 1) as Player, cell);
    }
    this.ply = state.ply;
  }

  private place(player: Player, cell: number): void {
    const { counts } = this;
    const own = player * NUM_LINES;
    const other = NUM_LINES - own;
    this.taken[cell] = 1;
    this.nextCells[cell % COLUMNS] = cell + COLUMNS;
    this.bits[player]! += BIT[cell]!;
    this.mirroredBits[player]! += MIRRORED_BIT[cell]!;
    const lines = LINES_OF[cell]!;
    const even = IS_EVEN[cell]!;
    this.oddColumns += 1 - 2 * even;
    for (const line of lines) {
      this.evenGaps[line]! -= even;
      const count = ++counts[own + line]!;
      if (count === 3 && counts[other + line] === 0)
        this.threats[player * NUM_CELLS + this.gapOf(line)]! += 1;
    }
  }

  /** Takes back the last `place`. */
  private remove(player: Player, cell: number): void {
    const { counts } = this;
    const own = player * NUM_LINES;
    const other = NUM_LINES - own;
    const lines = LINES_OF[cell]!;
    const even = IS_EVEN[cell]!;
    this.oddColumns -= 1 - 2 * even;
    for (const line of lines) {
      this.evenGaps[line]! += even;
      const count = counts[own + line]!--;
      if (count === 3 && counts[other + line] === 0)
        this.threats[player * NUM_CELLS + this.gapOf(line)]! -= 1;
    }
    this.bits[player]! -= BIT[cell]!;
    this.mirroredBits[player]! -= MIRRORED_BIT[cell]!;
    this.nextCells[cell % COLUMNS] = cell;
    this.taken[cell] = 0;
  }

  /** The empty cell of a line that has one. */
  private gapOf(line: number): number {
    let at = line * 4;
    while (this.taken[CELLS_OF[at]!] === 1) at += 1;
    return CELLS_OF[at]!;
  }

  /** A column in which `player` would win now. */
  private winningColumn(player: Player): number | undefined {
    for (let column = 0; column < COLUMNS; column++) {
      const cell = this.nextCells[column]!;
      if (cell < NUM_CELLS && this.threats[player * NUM_CELLS + cell]! > 0) return column;
    }
    return undefined;
  }

  /** The value of the position after a move that does not win at once, to the player who makes it. */
  private valueOf(column: number, alpha: number, beta: number): number {
    const player = this.mover();
    const cell = this.nextCells[column]!;
    this.place(player, cell);
    this.ply += 1;
    const loses = this.winningColumn(this.mover()) !== undefined;
    const value = loses ? -1 : 0 - this.search(-beta, -alpha);
    this.ply -= 1;
    this.remove(player, cell);
    return value;
  }

  /**
   * Writes the columns in which a stone does not lose at once to `moves`. The player to move cannot win at once.
   *
   * @returns their number.
   */
  private listMoves(player: Player, from: number): number {
    const { nextCells, threats, moves } = this;
    const against = (1 - player) * NUM_CELLS;
    let count = 0;
    let forced = -1;
    for (let i = 0; i < COLUMNS; i++) {
      const column = MIDDLE_FIRST[i]!;
      const cell = nextCells[column]!;
      if (cell >= NUM_CELLS) continue;
      const isThreatened = threats[against + cell]! > 0;
      // Two threats cannot be stopped at once.
      if (isThreatened && forced >= 0) return 0;
      if (isThreatened) forced = column;
      const above = cell + COLUMNS;
      if (above < NUM_CELLS && threats[against + above]! > 0) {
        if (isThreatened) return 0;
        continue;
      }
      moves[from + count++] = column;
    }
    if (forced < 0) return count;
    moves[from] = forced;
    return 1;
  }

  /** Sorts the columns at `moves[from .. from + count)`: those on the most promising lines first. */
  private sortMoves(player: Player, from: number, count: number): void {
    const { moves, orders, counts, nextCells } = this;
    const own = player * NUM_LINES;
    const other = NUM_LINES - own;
    for (let i = 0; i < count; i++) {
      const column = moves[from + i]!;
      const lines = LINES_OF[nextCells[column]!]!;
      let order = 0;
      for (const line of lines) {
        if (counts[other + line] === 0) order += 2 * LINE_WORTH[counts[own + line]!]!;
        else if (counts[own + line] === 0) order += LINE_WORTH[counts[other + line]!]!;
      }
      let at = from + i;
      for (; at > from && orders[at - 1]! < order; at--) {
        orders[at] = orders[at - 1]!;
        moves[at] = moves[at - 1]!;
      }
      orders[at] = order;
      moves[at] = column;
    }
  }

  /** Whether a move is known to lead to a position worth at least `beta`. */
  private isRefuted(player: Player, from: number, count: number, beta: number): boolean {
    const { keys, known, bits, mirroredBits } = this;
    const other = 1 - player;
    const straight = 2 * bits[other]! + bits[player]!;
    const mirrored = 2 * mirroredBits[other]! + mirroredBits[player]!;
    for (let i = 0; i < count; i++) {
      const cell = this.nextCells[this.moves[from + i]!]!;
      const key = Math.min(straight + BIT[cell]!, mirrored + MIRRORED_BIT[cell]!);
      const entry = key % TABLE_SIZE;
      if (keys[entry] === key && known[entry] !== NOTHING && 1 - (known[entry]! & 3) >= beta) return true;
    }
    return false;
  }

  /**
   * Whether the second player blocks all lines of the first, who is to move (`player` 0), by answering each stone with
   * one on top of it: the rule of claiming even squares (Allis 1988). All columns must hold an even number of stones.
   */
  private canFollowUp(player: Player): boolean {
    if (player !== 0 || this.oddColumns !== 0) return false;
    const { counts, evenGaps } = this;
    for (let line = 0; line < NUM_LINES; line++) {
      if (evenGaps[line] === 0 && counts[NUM_LINES + line] === 0) return false;
    }
    return true;
  }

  private countNode(): void {
    this.nodes += 1;
    if (this.nodes % CHECK_NODES === 0 && this.shouldStop?.() === true) throw SOLVER_STOPPED;
  }

  /** The value to the player to move, who cannot win at once: exact between `alpha` and `beta`, else a bound. */
  private search(alpha: number, beta: number): number {
    this.countNode();
    if (this.ply === NUM_CELLS) return 0;
    const player = this.mover();
    const from = this.ply * COLUMNS;
    const count = this.listMoves(player, from);
    if (count === 0) return -1;
    if (alpha >= 0 && this.canFollowUp(player)) return 0;
    const key = keyOf(player, this.bits, this.mirroredBits);
    const entry = key % TABLE_SIZE;
    const known = this.keys[entry] === key ? this.known[entry]! : NOTHING;
    const least = known === NOTHING ? -1 : (known >> 2) - 2;
    const most = known === NOTHING ? 1 : (known & 3) - 1;
    if (least >= beta || least === most) return least;
    if (most <= alpha) return most;
    if (this.isRefuted(player, from, count, beta)) return beta;
    this.sortMoves(player, from, count);
    const best = this.bestOf(count, alpha, beta);
    const newLeast = best > alpha ? Math.max(least, best) : least;
    const newMost = best < beta ? Math.min(most, best) : most;
    this.keys[entry] = key;
    this.known[entry] = (newLeast + 2) * 4 + newMost + 1;
    return best;
  }

  /** The value of the best of the first `count` moves listed at this ply, or a bound, as for `search`. */
  private bestOf(count: number, alpha: number, beta: number): number {
    const from = this.ply * COLUMNS;
    let best = -1;
    for (let i = 0; i < count && best < beta; i++) {
      const value = this.valueOf(this.moves[from + i]!, Math.max(alpha, best), beta);
      if (value > best) best = value;
    }
    return best;
  }
}
