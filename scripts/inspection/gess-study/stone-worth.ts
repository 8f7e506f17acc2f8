import type { GessPosition } from '../../../env/gess/gess-position.js';
import { createRng } from '../../../env/random.js';
import { opponentOf } from '../../../env/game.js';
import { type FittingRows, fitLogistic } from '../../../training/tuning/logistic-regression.js';
import { STONE_ZONES, stonesByZone } from './stone-zones.js';

/** Samples of the bootstrap, and the rank of its 2.5 % quantile. */
const SAMPLES = 200;
const OUTER = Math.round(SAMPLES * 0.025);
/** More than Newton's method needs to converge. */
const ITERATIONS = 8;
/** Rows that the fit outweighs: keeps zones without any difference at 0. */
const PULL = 10;

/** Being the player to move, and the difference of stones in each zone. */
const TERMS = 1 + STONE_ZONES.length;

/** Effect of one stone more than the opponent has, on the winning chances of even positions. */
export interface StoneWorth {
  readonly zone: string;
  /** Percentage points of winning probability, with the 95 % interval of a bootstrap over games. */
  readonly points: number;
  readonly low: number;
  readonly high: number;
}

/** Rows of one game: `TERMS` features each, and the results, both to the player to move. */
interface GameRows {
  readonly features: number[];
  readonly results: number[];
}

/** Fits the results of games to the differences of stones by zone. */
export class StoneWorths {
  private readonly games = new Map<number, GameRows>();

  /** @param result of the game to the player to move: 1, 0 or -1. */
  add(gameId: number, position: GessPosition, result: number): void {
    const rows = this.games.get(gameId) ?? { features: [], results: [] };
    this.games.set(gameId, rows);
    const own = stonesByZone(position, position.player);
    const other = stonesByZone(position, opponentOf(position.player));
    rows.features.push(1, ...own.map((count, zone) => count - other[zone]!));
    rows.results.push((result + 1) / 2);
  }

  /** One entry for each zone; none without games. */
  fit(): readonly StoneWorth[] {
    const games = [...this.games.values()];
    if (games.length === 0) return [];
    const points = pointsOf(games);
    const rng = createRng(1, 'stone-worth');
    const samples = Array.from({ length: SAMPLES }, () =>
      pointsOf(games.map(() => games[rng.integer(games.length)]!)),
    );
    return STONE_ZONES.map(({ name }, zone) => {
      const sorted = samples.map((sample) => sample[zone]!).sort((a, b) => a - b);
      return { zone: name, points: points[zone]!, low: sorted[OUTER]!, high: sorted.at(-1 - OUTER)! };
    });
  }
}

/** `[5]` percentage points of a stone by zone. The slope of the logistic function at even chances is 1/4. */
function pointsOf(games: readonly GameRows[]): number[] {
  const rows: FittingRows = {
    rows: games.reduce((sum, { results }) => sum + results.length, 0),
    terms: TERMS,
    features: Float64Array.from(games.flatMap(({ features }) => features)),
    results: Float64Array.from(games.flatMap(({ results }) => results)),
  };
  const options = { start: new Float64Array(TERMS), pull: PULL, iterations: ITERATIONS };
  return Array.from(fitLogistic(rows, options).subarray(1), (logit) => (100 * logit) / 4);
}
