import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { createGess } from '../../../env/gess/gess.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import { openOnnxModel } from '../../../training/inference/onnx-session.js';
import { CACHE_SIZE } from '../../../training/play/cache-size.js';
import { playSelfPlayGames } from '../../../training/self-play/self-play.js';
import { sumStatistics } from '../../../training/self-play/self-play-statistics.js';
import { median } from '../../../training/statistics/median.js';
import { measureBare } from '../bench-network.js';
import { measure, type Measured } from '../measured.js';
import { measureTimeShares, type TimeShares } from '../time-shares.js';

/** Games before the measurement: V8 compiles during the first ones. */
const WARM_UP_GAMES = 32;
const ROUNDS = 3;
const GAMES_PER_ROUND = 32;
/** Games played under the profiler. */
const PROFILED_GAMES = 8;
/** Ply limit: only the beginnings of games are measured. */
const PLY_LIMIT = 20;

/** Gess with a low ply limit. */
export const BENCH_GAME = createGess({ plyLimit: PLY_LIMIT });

/** The network alone, as self-play calls it: evaluations per second. */
export interface BareComparison {
  readonly bare: Measured;
  /** Evaluations of self-play relative to it, in processor time: the median of the rounds. */
  readonly toBare: number;
}

/** Self-play in this process: network evaluations per second. */
export interface MeasuredGames extends Measured {
  readonly gamesPerProcessorSecond: number;
  readonly positionsPerEvaluation: number;
  readonly cacheHitRate: number;
  readonly shares: TimeShares;
  /** Null unless it was asked for. */
  readonly comparison: BareComparison | null;
}

function meanOf(rates: readonly Measured[]): Measured {
  const mean = (key: keyof Measured): number =>
    rates.reduce((sum, rate) => sum + rate[key], 0) / rates.length;
  return { perSecond: mean('perSecond'), perProcessorSecond: mean('perProcessorSecond') };
}

/** @param bare measured before the first of the `rounds` and after each. */
function compare(rounds: readonly Measured[], bare: readonly Measured[]): BareComparison {
  const ratios = rounds.map(({ perProcessorSecond }, round) => {
    const around = meanOf(bare.slice(round, round + 2));
    return perProcessorSecond / around.perProcessorSecond;
  });
  return { bare: meanOf(bare), toBare: median(ratios) };
}

/**
 * Measures self-play with default settings in this process after a warm-up; shares of time come from separate games.
 *
 * @param comparesBare whether the network alone is measured before and after each round: the speed of a shared machine
 *   changes within seconds.
 */
export async function measureGames(model: Uint8Array, comparesBare: boolean): Promise<MeasuredGames> {
  const config = SelfPlayConfig.parse({});
  const rules = { game: BENCH_GAME, config, seed: 1 };
  const options = { batchSize: config.batchSize, cacheSize: CACHE_SIZE };
  const evaluator = await NetworkEvaluator.create(BENCH_GAME, await openOnnxModel(model), options);
  let firstGame = 0;
  /** Plays games that have not been played yet; returns their positions. */
  const play = async (games: number): Promise<number> => {
    const finished = await playSelfPlayGames(rules, { firstGame, games }, evaluator);
    firstGame += games;
    return sumStatistics(finished.map(({ statistics }) => statistics)).positions;
  };
  const bare: Measured[] = [];
  const measureBareNow = async (): Promise<void> => {
    if (comparesBare) bare.push(await measureBare(BENCH_GAME, model, config.batchSize));
  };
  try {
    await play(WARM_UP_GAMES);
    const start = { evaluated: evaluator.evaluated, hits: evaluator.cache.hits };
    const rounds: Measured[] = [];
    let positions = 0;
    await measureBareNow();
    for (let round = 0; round < ROUNDS; round++) {
      const before = evaluator.evaluated;
      const rate = await measure(async () => {
        positions += await play(GAMES_PER_ROUND);
        return evaluator.evaluated - before;
      });
      rounds.push(rate);
      await measureBareNow();
    }
    const evaluated = evaluator.evaluated - start.evaluated;
    const hits = evaluator.cache.hits - start.hits;
    const rates = meanOf(rounds);
    return {
      ...rates,
      gamesPerProcessorSecond: (ROUNDS * GAMES_PER_ROUND * rates.perProcessorSecond) / evaluated,
      positionsPerEvaluation: positions / evaluated,
      cacheHitRate: hits / (hits + evaluated),
      shares: await measureTimeShares(() => play(PROFILED_GAMES)),
      comparison: comparesBare ? compare(rounds, bare) : null,
    };
  } finally {
    await evaluator.dispose();
  }
}
