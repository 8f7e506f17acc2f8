import type { Game } from '../../env/game.js';

/** Marks a position that must not count as repeated, in place of its hash. */
const NO_POSITION = -1;

/** Detects positions that have occurred on the line under search or earlier in the game. */
export class Repetitions<State> {
  private readonly game: Game<State>;
  /** `[P]` hashes of the positions on the line under search, or `NO_POSITION`. */
  private readonly line: Float64Array;
  /** Hashes of the positions of the game before the root. */
  private readonly past = new Set<number>();

  constructor(game: Game<State>, maxPlies: number) {
    this.game = game;
    this.line = new Float64Array(maxPlies);
  }

  /** Makes `root` the position at ply 0 and records the positions that led to it. */
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

  /** Records a position with this hash on the line at `ply`; returns whether it has occurred before. */
  enter(ply: number, hash: number): boolean {
    const { line } = this;
    line[ply] = hash;
    // The same player must be to move, and a position takes four plies to come back.
    for (let earlier = ply - 4; earlier >= 0; earlier -= 2) if (line[earlier] === hash) return true;
    return false;
  }

  /** Records that the line reaches `ply` by a pass: the positions that follow cannot occur in a game. */
  enterByPass(ply: number): void {
    this.line[ply] = NO_POSITION;
  }

  /** Whether a position with this hash occurred in the game before the root. */
  isPast(hash: number): boolean {
    return this.past.has(hash);
  }
}
