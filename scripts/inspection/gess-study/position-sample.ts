import type { Game } from '../../../env/game.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { createRng } from '../../../env/random.js';

/** Greatest absolute value of a search, in [-1, 1], in a position that counts as open. */
const OPEN_VALUE = 0.5;

/** Draws one open position of each game, all of them equally likely. */
export class PositionSample {
  private readonly game: Game<GessPosition>;
  private readonly rng = createRng(1, 'position-sample');
  private readonly drawn = new Map<number, { seen: number; packed: Uint8Array }>();

  constructor(game: Game<GessPosition>) {
    this.game = game;
  }

  /** @param value of the position's search, in [-1, 1]; NaN without one. */
  add(gameId: number, packed: Uint8Array, value: number): void {
    // False for NaN.
    if (!(Math.abs(value) <= OPEN_VALUE)) return;
    const drawn = this.drawn.get(gameId) ?? { seen: 0, packed };
    this.drawn.set(gameId, drawn);
    drawn.seen += 1;
    if (this.rng.integer(drawn.seen) === 0) drawn.packed = packed.slice();
  }

  /** The positions, by game. */
  positions(): readonly GessPosition[] {
    return [...this.drawn.values()].map(({ packed }) => {
      const position = this.game.initialState();
      this.game.unpack(packed, 0, position);
      return position;
    });
  }
}
