import { nextTask } from '../../../agents/next-task.js';
import type { GessPosition } from '../../../env/gess/gess-position.js';
import { createRng } from '../../../env/random.js';
import { opponentOf } from '../../../env/game.js';
import { fitLogistic } from '../../../training/tuning/logistic-regression.js';
import { bootstrapInterval } from './bootstrap-interval.js';
import { phaseOf, PHASES } from './game-phases.js';
import { STONE_ZONES, stonesByZone } from './stone-zones.js';

/** Samples of the bootstrap. */
const SAMPLES = 200;
/** Iterations of Newton's method, more than it needs to converge. */
const ITERATIONS = 8;
/** Strength of the pull towards 0, as a number of rows; keeps zones without any difference at 0. */
const PULL = 10;

/** Effect of one stone more than the opponent has, on the winning chances of even positions. */
export interface StoneWorth {
  /** A zone, in a fit of all zones together; or `all` or a phase of the game, in a fit of the sum of the stones. */
  readonly place: string;
  /** Percentage points of winning probability, with the 95 % interval of a bootstrap over games. */
  readonly points: number;
  readonly low: number;
  readonly high: number;
}

/** A position: the difference of stones in each zone and the result, both to the player to move, and the phase. */
interface Row {
  readonly differences: readonly number[];
  readonly result: number;
  readonly phase: string;
}

type GameRows = readonly Row[];

/** Fits the results of games to the differences of stones. */
export class StoneWorths {
  private readonly games = new Map<number, Row[]>();

  /** @param result of the game to the player to move: 1, 0 or -1. */
  add(gameId: number, position: GessPosition, result: number): void {
    const rows = this.games.get(gameId) ?? [];
    this.games.set(gameId, rows);
    const own = stonesByZone(position, position.player);
    const other = stonesByZone(position, opponentOf(position.player));
    const differences = own.map((count, zone) => count - other[zone]!);
    rows.push({ differences, result: (result + 1) / 2, phase: phaseOf(position.ply) });
  }

  /**
   * One entry for each zone, for all stones, and for each phase with positions; none without games.
   *
   * @param onFit called after each fit of the bootstrap with the number done and of all.
   */
  async fit(onFit?: (done: number, all: number) => void): Promise<readonly StoneWorth[]> {
    const games = [...this.games.values()];
    if (games.length === 0) return [];
    const phases = PHASES.map((phase) => {
      const inPhase = games.map((rows) => rows.filter((row) => row.phase === phase));
      return { places: [phase], games: inPhase.filter((rows) => rows.length > 0), termsOf: sumOf };
    });
    const zones = STONE_ZONES.map(({ name }) => name);
    const fits: readonly Fit[] = [
      { places: zones, games, termsOf: ({ differences }) => differences },
      { places: ['all'], games, termsOf: sumOf },
      ...phases.filter((phase) => phase.games.length > 0),
    ];
    let done = 0;
    const worths: StoneWorth[] = [];
    for (const fit of fits) {
      const found = await bootstrap(fit, () => onFit?.(++done, fits.length * SAMPLES));
      worths.push(...found);
    }
    return worths;
  }
}

/** A fit of one worth for each of `places`, the terms of a row. */
interface Fit {
  readonly places: readonly string[];
  readonly games: readonly GameRows[];
  readonly termsOf: (row: Row) => readonly number[];
}

/** `[1]` the difference of all stones. */
function sumOf({ differences }: Row): readonly number[] {
  return [differences.reduce((sum, difference) => sum + difference)];
}

/** Makes a fit, and samples games with replacement for its intervals. */
async function bootstrap({ places, games, termsOf }: Fit, onFit: () => void): Promise<readonly StoneWorth[]> {
  const points = pointsOf(games, termsOf);
  const rng = createRng(1, 'stone-worth');
  const samples: number[][] = [];
  while (samples.length < SAMPLES) {
    const drawn = games.map(() => games[rng.integer(games.length)]!);
    samples.push(pointsOf(drawn, termsOf));
    onFit();
    await nextTask();
  }
  return places.map((place, term) => {
    return { place, points: points[term]!, ...bootstrapInterval(samples.map((sample) => sample[term]!)) };
  });
}

/** `[T]` percentage points of a stone by term. The slope of the logistic function at even chances is 1/4. */
function pointsOf(games: readonly GameRows[], termsOf: (row: Row) => readonly number[]): number[] {
  const rows = games.flat();
  // The first term is the advantage of being the player to move.
  const features = rows.map((row) => [1, ...termsOf(row)]);
  const terms = features[0]?.length ?? 1;
  const fitted = fitLogistic(
    {
      rows: rows.length,
      terms,
      features: Float64Array.from(features.flat()),
      results: Float64Array.from(rows, ({ result }) => result),
    },
    { start: new Float64Array(terms), pull: PULL, iterations: ITERATIONS },
  );
  return Array.from(fitted.subarray(1), (logit) => (100 * logit) / 4);
}
