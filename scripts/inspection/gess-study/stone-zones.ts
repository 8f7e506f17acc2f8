import { opponentOf, type Player } from '../../../env/game.js';
import { SIZE } from '../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { allRings } from '../../../env/gess/rings.js';

/** Parts of the board, from the view of a stone's owner; a stone counts in the first one that holds it. */
export const STONE_ZONES = [
  { name: 'ring', meaning: 'in an own ring' },
  { name: 'guard', meaning: 'two to four squares from the centre of an own ring' },
  { name: 'attack', meaning: "within four squares of the centre of an opponent's ring" },
  { name: 'home', meaning: "elsewhere in the owner's half" },
  { name: 'abroad', meaning: "elsewhere in the opponent's half" },
] as const;

/** Greatest distance, in king's steps, of a stone that guards or attacks a ring. */
const REACH = 4;

/** King's steps from a square to the nearest centre; infinite without one. */
function distanceTo(centers: readonly number[], row: number, column: number): number {
  let least = Infinity;
  for (const center of centers) {
    const rows = Math.abs(Math.floor(center / SIZE) - row);
    least = Math.min(least, Math.max(rows, Math.abs((center % SIZE) - column)));
  }
  return least;
}

function zoneOf(toOwnRing: number, toOtherRing: number, isHome: boolean): number {
  if (toOwnRing <= 1) return 0;
  if (toOwnRing <= REACH) return 1;
  if (toOtherRing <= REACH) return 2;
  return isHome ? 3 : 4;
}

/** A stone and its place. */
export interface PlacedStone {
  /** `row * 20 + column`. */
  readonly square: number;
  /** Index of `STONE_ZONES`. */
  readonly zone: number;
}

/** The stones of `player`, by row and column. */
export function placeStones({ stones }: GessPosition, player: Player): readonly PlacedStone[] {
  const [own, other] = [stones[player], stones[opponentOf(player)]];
  const [ownRings, otherRings] = [allRings(own, other), allRings(other, own)];
  const placed: PlacedStone[] = [];
  for (let row = 0; row < SIZE; row++) {
    const isHome = row < SIZE / 2 === (player === 0);
    for (let bits = own[row + 1]!; bits !== 0; bits &= bits - 1) {
      const column = 31 - Math.clz32(bits & -bits);
      const zone = zoneOf(distanceTo(ownRings, row, column), distanceTo(otherRings, row, column), isHome);
      placed.push({ square: row * SIZE + column, zone });
    }
  }
  return placed;
}

/** `[5]` stones of `player` by zone, in the order of `STONE_ZONES`. */
export function stonesByZone(position: GessPosition, player: Player): number[] {
  const counts = STONE_ZONES.map(() => 0);
  for (const { zone } of placeStones(position, player)) counts[zone]! += 1;
  return counts;
}
