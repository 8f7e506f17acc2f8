import type { Game } from '../../env/game.js';
import type { ReplayWindow } from './replay-window.js';

/** Rows of a window that show the network the same. */
export interface EqualRows {
  /** Rows to learn from that have equals among them. */
  readonly count: number;
  /** The rows equal to `row`, ascending, itself included; null where it has no equal. The same array for all of them. */
  readonly equals: (row: number) => Uint32Array | null;
}

/** Reads rows and compares what the network sees of them, exactly. */
class RowComparison<State> {
  private readonly window: ReplayWindow;
  private readonly game: Game<State>;
  private readonly state: State;
  /** What the network sees of the row that others are compared with, and of one of these. */
  private readonly own: Float32Array;
  private readonly other: Float32Array;
  private actions: Uint16Array = new Uint16Array(0);
  private player = 0;

  constructor(window: ReplayWindow, game: Game<State>) {
    const [rows, columns, planes] = game.observationShape;
    this.window = window;
    this.game = game;
    this.state = game.initialState();
    this.own = new Float32Array(rows * columns * planes);
    this.other = new Float32Array(this.own.length);
  }

  /** Equal for rows that show the same, and hardly ever for others. */
  key(row: number): number {
    const { window, game, state } = this;
    game.unpack(window.shard(row).content(window.index(row)).position, 0, state);
    return game.observationHash(state);
  }

  /** Takes the row that others are compared with. */
  take(row: number): void {
    this.player = this.playerOf(row);
    this.actions = this.observe(row, this.own);
  }

  /** Whether the row shows what the taken one does, to the same player with the same legal actions. */
  isEqual(row: number): boolean {
    if (this.playerOf(row) !== this.player) return false;
    const actions = this.observe(row, this.other);
    if (actions.length !== this.actions.length) return false;
    return (
      actions.every((action, i) => action === this.actions[i]) &&
      this.other.every((value, i) => value === this.own[i])
    );
  }

  private playerOf(row: number): number {
    return this.window.shard(row).columns.players[this.window.index(row)]!;
  }

  private observe(row: number, out: Float32Array): Uint16Array {
    const { window, game, state } = this;
    const { position, actions } = window.shard(row).content(window.index(row));
    game.unpack(position, 0, state);
    game.observe(state, out, 0);
    return actions;
  }
}

/** The groups of rows that are equal among `rows`, whose keys are; single rows are left out. */
function groupsAmong<State>(comparison: RowComparison<State>, rows: readonly number[]): Uint32Array[] {
  const groups: Uint32Array[] = [];
  for (let rest = rows; rest.length > 1;) {
    comparison.take(rest[0]!);
    const equal = rest.filter((row, i) => i === 0 || comparison.isEqual(row));
    if (equal.length > 1) groups.push(Uint32Array.from(equal));
    const taken = new Set(equal);
    rest = rest.filter((row) => !taken.has(row));
  }
  return groups;
}

/**
 * Finds the rows to learn from that are equal: the network sees the same, the same player is to move and has the same
 * legal actions. Rows that are drawn apart are equal to one another only, so that equal rows are drawn alike; rows held
 * back are left alone. Reads every row to learn from once. Memory: 20 bytes a row while it works, 12 later.
 */
export function findEqualRows<State>(window: ReplayWindow, game: Game<State>): EqualRows {
  const { trainingRows } = window;
  const comparison = new RowComparison(window, game);
  const keys = Float64Array.from(trainingRows, (row) => comparison.key(row));
  const apart = window.rowsApart;
  // Of equal keys those that are drawn apart come first: their places are lower.
  const order = Uint32Array.from(trainingRows.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b);
  const groups: Uint32Array[] = [];
  /** `[rows]` number of the group and 1, or 0. */
  const groupOfRow = new Uint32Array(window.rows);
  let count = 0;
  for (let first = 0, end = 0; first < order.length; first = end) {
    const isAlike = (place: number): boolean =>
      keys[place] === keys[order[first]!] && place < apart === order[first]! < apart;
    while (end < order.length && isAlike(order[end]!)) end++;
    if (end - first < 2) continue;
    const rows = Array.from(order.subarray(first, end), (place) => trainingRows[place]!);
    for (const group of groupsAmong(comparison, rows)) {
      groups.push(group);
      for (const row of group) groupOfRow[row] = groups.length;
      count += group.length;
    }
  }
  return { count, equals: (row) => groups[groupOfRow[row]! - 1] ?? null };
}
