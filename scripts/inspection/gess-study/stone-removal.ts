import type { Agent } from '../../../agents/agent.js';
import { opponentOf, outcomeTo } from '../../../env/game.js';
import { withoutStone } from '../../../env/gess/altered-position.js';
import { SIZE } from '../../../env/gess/gess-board.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { createRng } from '../../../env/random.js';
import { chooseForAll } from '../../../training/play/choices.js';
import { bootstrapInterval } from './bootstrap-interval.js';
import { phaseOf, PHASES } from './game-phases.js';
import { placeStones, STONE_ZONES } from './stone-zones.js';

/** Samples of the bootstrap. */
const SAMPLES = 1000;
/** Positions that the agent judges together. */
const TOGETHER = 64;

/** By how much an agent values a position less, to the stone's owner, if one stone is taken off the board. */
export interface RemovedStone {
  /**
   * A zone; or, of the stones outside rings, `all`, those on the outermost squares of the grid (`edge`), those not
   * (`inside`), and those in a phase of the game.
   */
  readonly place: string;
  readonly stones: number;
  /** Percentage points of winning probability, with the 95 % interval of a bootstrap over games. */
  readonly points: number;
  readonly low: number;
  readonly high: number;
}

/** Number of stones and sum of their points, by place. */
type PlaceSums = ReadonlyMap<string, { stones: number; points: number }>;

/** The places that a stone counts in. */
function placesOf(square: number, zone: number, ply: number): readonly string[] {
  const { name } = STONE_ZONES[zone]!;
  // A ring is worth the game: its stones would hide the worth of the others.
  if (name === 'ring') return [name];
  const isEdge = [Math.floor(square / SIZE), square % SIZE].some((at) => at === 1 || at === SIZE - 2);
  const phase = phaseOf(ply);
  return ['all', name, isEdge ? 'edge' : 'inside', phase];
}

/** Values of positions to their players to move, by the rules where the game is over. */
async function valuesOf(agent: Agent<GessPosition>, positions: readonly GessPosition[]): Promise<number[]> {
  const values = positions.map(({ outcome, player }) =>
    outcome === null ? NaN : outcomeTo(player, outcome),
  );
  const open = positions.flatMap(({ outcome }, index) => (outcome === null ? [index] : []));
  for (let first = 0; first < open.length; first += TOGETHER) {
    const some = open.slice(first, first + TOGETHER);
    const turns = some.map((index) => ({ state: positions[index]!, rng: createRng(1, 'stone-removal') }));
    const choices = await chooseForAll(agent, turns);
    for (const [order, index] of some.entries()) values[index] = choices[order]!.value ?? NaN;
  }
  return values;
}

/** The worth of each stone of a position, summed by place. */
async function sumsOf(agent: Agent<GessPosition>, position: GessPosition): Promise<PlaceSums> {
  const { player, ply } = position;
  const placed = [player, opponentOf(player)].flatMap((owner) =>
    placeStones(position, owner).map((stone) => ({ ...stone, sign: owner === player ? 1 : -1 })),
  );
  const removed = placed.map(({ square }) => withoutStone(position, square));
  const [before, ...after] = (await valuesOf(agent, [position, ...removed])) as [number, ...number[]];
  const sums = new Map<string, { stones: number; points: number }>();
  for (const [index, { square, zone, sign }] of placed.entries()) {
    for (const place of placesOf(square, zone, ply)) {
      const sum = sums.get(place) ?? { stones: 0, points: 0 };
      sums.set(place, sum);
      sum.stones += 1;
      // Values are in [-1, 1]: half of their difference is one of probabilities.
      sum.points += 50 * sign * (before - after[index]!);
    }
  }
  return sums;
}

function meanOf(games: readonly PlaceSums[], place: string): number {
  let [stones, points] = [0, 0];
  for (const sums of games) {
    const sum = sums.get(place);
    stones += sum?.stones ?? 0;
    points += sum?.points ?? 0;
  }
  return stones === 0 ? 0 : points / stones;
}

/**
 * Takes each stone of each position off the board in turn and lets an agent with values judge the difference.
 *
 * @param positions one of each game; not over.
 * @param onPosition called after each with the number done and of all.
 * @returns one entry for each place that has stones.
 */
export async function judgeRemovals(
  agent: Agent<GessPosition>,
  positions: readonly GessPosition[],
  onPosition?: (done: number, all: number) => void,
): Promise<readonly RemovedStone[]> {
  const games: PlaceSums[] = [];
  for (const position of positions) {
    games.push(await sumsOf(agent, position));
    onPosition?.(games.length, positions.length);
  }
  const rng = createRng(1, 'stone-removal');
  const samples = Array.from({ length: SAMPLES }, () => games.map(() => games[rng.integer(games.length)]!));
  const names = [...STONE_ZONES.map(({ name }) => name), 'all', 'edge', 'inside'];
  const places = [...names, ...PHASES];
  return places.flatMap((place) => {
    const stones = games.reduce((sum, sums) => sum + (sums.get(place)?.stones ?? 0), 0);
    if (stones === 0) return [];
    const interval = bootstrapInterval(samples.map((sample) => meanOf(sample, place)));
    return [{ place, stones, points: meanOf(games, place), ...interval }];
  });
}
