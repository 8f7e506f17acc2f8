import { opponentOf } from '../../../env/game.js';
import { SIZE } from '../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { parseSquare } from '../../../env/gess/move-notation.js';
import { allRings } from '../../../env/gess/rings.js';
import { countBits } from '../../../env/bit-counting.js';

/** Plies of a stage; the last one has no end. */
const STAGE_PLIES = 20;
const STAGES = 5;

/** Centres of the rings at the start, by player. */
const FIRST_RINGS = [parseSquare('l3'), parseSquare('l18')] as const;

/** Rings and stones of the players to move in a stage of the games: means over positions. */
export interface RingStage {
  /** First ply of the stage. */
  readonly from: number;
  readonly positions: number;
  /** Share of positions in which the ring of the start still stands. */
  readonly firstRing: number;
  /** Share of positions with more than one ring. */
  readonly severalRings: number;
  readonly stones: number;
}

/** Counts rings and stones by stage of the game. */
export class RingStages {
  private readonly sums = Array.from({ length: STAGES }, () => ({
    positions: 0,
    first: 0,
    several: 0,
    stones: 0,
  }));

  add(position: GessPosition): void {
    const { player, ply, stones } = position;
    const sum = this.sums[Math.min(STAGES - 1, Math.floor(ply / STAGE_PLIES))]!;
    const own = stones[player];
    const rings = allRings(own, stones[opponentOf(player)]);
    sum.positions += 1;
    if (rings.includes(FIRST_RINGS[player])) sum.first += 1;
    if (rings.length > 1) sum.several += 1;
    for (let index = 1; index <= SIZE; index++) sum.stones += countBits(own[index]!);
  }

  /** The stages with positions. */
  summary(): readonly RingStage[] {
    return this.sums
      .map(({ positions, first, several, stones }, stage) => ({
        from: stage * STAGE_PLIES,
        positions,
        firstRing: first / positions,
        severalRings: several / positions,
        stones: stones / positions,
      }))
      .filter(({ positions }) => positions > 0);
  }
}
