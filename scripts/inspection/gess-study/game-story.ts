import type { Player } from '../../../env/game.js';
import { opponentOf, type Outcome } from '../../../env/game.js';
import { formatSquare } from '../../../env/gess/move-notation.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { allRings } from '../../../env/gess/rings.js';
import { placeStones } from './stone-zones.js';
import { endKind, type EndKind, type GameEnd } from './game-ends.js';

/** Facts of one game, to find those worth a look. */
export interface GameStory {
  /** Row of its first position, as `gess inspect --row` counts them in a dataset of its own. */
  readonly row: number;
  readonly plies: number;
  /** To Black; null without one. */
  readonly result: Outcome | null;
  readonly end: EndKind;
  /** Stones of Black and White at the end. */
  readonly stones: readonly [number, number];
  /** Centres of the rings that stood after the start, by player, in order of appearance. */
  readonly rings: readonly [readonly string[], readonly string[]];
  /** Lowest value of a search to the player who won, in [-1, 1]; null without a winner or values. */
  readonly worst: number | null;
}

/** Collects the facts of one game, row by row. */
export class StoryTeller {
  readonly row: number;
  private readonly rings: [Set<number>, Set<number>] = [new Set(), new Set()];
  /** Lowest value to each player. */
  private readonly lowest: [number, number] = [Infinity, Infinity];

  constructor(row: number) {
    this.row = row;
  }

  /** @param value of the search to the player to move; NaN without one. */
  add(position: GessPosition, value: number): void {
    const { player, stones } = position;
    const other = opponentOf(player);
    for (const ring of allRings(stones[player], stones[other])) this.rings[player].add(ring);
    if (Number.isNaN(value)) return;
    this.lowest[player] = Math.min(this.lowest[player], value);
    this.lowest[other] = Math.min(this.lowest[other], -value);
  }

  /** @param position the last one. */
  end(position: GessPosition, end: GameEnd): GameStory {
    const { plies, result } = end;
    const winner: Player | null = result === null || result === 0 ? null : result === 1 ? 0 : 1;
    const worst = winner === null ? Infinity : this.lowest[winner];
    const names = (player: Player): readonly string[] =>
      [...this.rings[player]].slice(1).map((ring) => formatSquare(ring));
    return {
      row: this.row,
      plies,
      result,
      end: endKind(end),
      stones: [placeStones(position, 0).length, placeStones(position, 1).length],
      rings: [names(0), names(1)],
      worst: Number.isFinite(worst) ? worst : null,
    };
  }
}
