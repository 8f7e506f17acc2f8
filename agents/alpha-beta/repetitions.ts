import type { Game } from '../../env/game.js';

/** Stands for the hash of a position that must not count as repeated. */
const NO_POSITION = -1;

/** Finds positions that the line under search, or the game before it, has had already. */
export class Repetitions<State> {
  private readonly game: Game<State>;
  /** `[P]` hashes of the positions on the line under search, or `NO_POSITION`. */
  private readonly line: Float64Array;
  /** Hashes of the positions that the game had before the root. */
  private readonly past = new Set<number>();

  constructor(game: Game<State>, maxPlies: number) {
    this.game = game;
    this.line = new Float64Array(maxPlies);
  }

  /** Makes `root` the position at ply 0, and notes the positions that led to it. */
  begin(root: State): void {
    const { game, past } = this;
    past.clear();
    this.line[0] = game.hash(root);
    const earlier = game.clone(root);
    while (game.historyLength(earlier) > 0) {
      game.undo(earlier);
      past.add(game.hash(earlier));
    }
  }

  /** Notes that the line passes through a position with this hash at `ply`; returns whether it has had it before. */
  enter(ply: number, hash: number): boolean {
    const { line } = this;
    line[ply] = hash;
    // The same player must be to move, and a position takes four plies to come back.
    for (let earlier = ply - 4; earlier >= 0; earlier -= 2) if (line[earlier] === hash) return true;
    return false;
  }

  /** Notes that the line reaches `ply` by a pass: what follows is no position of a game. */
  enterByPass(ply: number): void {
    this.line[ply] = NO_POSITION;
  }

  /** Whether the game had a position with this hash before the root. */
  isPast(hash: number): boolean {
    return this.past.has(hash);
  }
}
