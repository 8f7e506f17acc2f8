import type { ShardColumns } from '../../../data/shards/shard-columns.js';
import { type Action, type Game, NO_ACTION } from '../../../env/game.js';

/** Follows the moves of one game's rows. */
class GameReplay {
  private readonly game: Game<unknown>;
  /** The position of a row, with the moves played since. */
  private readonly state: unknown;
  private readonly other: unknown;
  private readonly packed: Uint8Array;
  /** Whether `state` has every move of the game. */
  private isWhole = false;

  constructor(game: Game<unknown>) {
    this.game = game;
    this.state = game.initialState();
    this.other = game.initialState();
    this.packed = new Uint8Array(game.packedSize);
  }

  /** Begins at a packed position. */
  begin(position: Uint8Array): void {
    this.game.unpack(position, 0, this.state);
    this.isWhole = this.game.ply(this.state) === 0;
  }

  play(action: Action): void {
    this.game.apply(this.state, action);
  }

  /**
   * Whether the moves so far lead to a packed position. It may say that the board has occurred before where moves are
   * missing, as those of a sampled opening are: only its notation is compared then.
   */
  leadsTo(position: Uint8Array): boolean {
    const { game, state, other, packed } = this;
    game.pack(state, packed, 0);
    if (Buffer.compare(packed, position) === 0) return true;
    if (this.isWhole) return false;
    game.unpack(position, 0, other);
    return game.formatPosition(state) === game.formatPosition(other);
  }
}

/** Describes a contradiction between one game's rows and their moves; null if there is none. */
export function movesProblem(
  game: Game<unknown>,
  columns: ShardColumns,
  start: number,
  end: number,
): string | null {
  const { positions, finalPositions, positionSize, plies, pliesLeft, played } = columns;
  const replay = new GameReplay(game);
  const bytesAt = (array: Uint8Array, row: number): Uint8Array =>
    array.subarray(row * positionSize, (row + 1) * positionSize);
  const isFollowing = (row: number): boolean => row > start && plies[row] === plies[row - 1]! + 1;
  for (let row = start; row < end; row++) {
    if (played[row] === NO_ACTION) return `row ${row} without a move`;
    if (Buffer.compare(bytesAt(finalPositions, row), bytesAt(finalPositions, start)) !== 0) {
      return `a different final position in row ${row}`;
    }
    if (!isFollowing(row)) replay.begin(bytesAt(positions, row));
    replay.play(played[row]!);
    const isNext = row + 1 < end && isFollowing(row + 1);
    const isLast = row + 1 === end && pliesLeft[row] === 1;
    if (isNext && !replay.leadsTo(bytesAt(positions, row + 1))) {
      return `a move in row ${row} that does not lead to the next row`;
    }
    if (isLast && !replay.leadsTo(bytesAt(finalPositions, row))) {
      return `a move in row ${row} that does not lead to the final position`;
    }
  }
  return null;
}
