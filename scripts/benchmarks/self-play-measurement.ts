import { NetworkEvaluator } from '../../agents/evaluators/network-evaluator.js';
import { createGess } from '../../env/gess/gess.js';
import { SelfPlayConfig } from '../../training/config/self-play-config.js';
import { openOnnxModel } from '../../training/inference/onnx-session.js';
import { CACHE_SIZE } from '../../training/self-play/shard-play.js';
import { playSelfPlayGames } from '../../training/self-play/self-play.js';
import { sumStatistics } from '../../training/self-play/self-play-statistics.js';
import { benchModel } from './bench-network.js';
import { measure, type Measured } from './measured.js';
import { measureTimeShares, type TimeShares } from './time-shares.js';

/** Games of the warm-up, and of the measurement. */
const WARM_UP_GAMES = 8;
const GAMES = 32;
/** Plies of a game: the rates are those of the first part of games. */
const PLY_LIMIT = 20;

/** Gess, with games that are cut short. */
export const BENCH_GAME = createGess({ plyLimit: PLY_LIMIT });

/** Self-play in this process; evaluations by the network. */
export interface MeasuredGames extends Measured {
  readonly positionsPerEvaluation: number;
  readonly cacheHitRate: number;
  readonly shares: TimeShares;
}

/** Games of self-play with the default settings in this process, after some to warm up; shares of time in games of their own. */
export async function measureGames(): Promise<MeasuredGames> {
  const model = benchModel(BENCH_GAME);
  const config = SelfPlayConfig.parse({});
  const rules = { game: BENCH_GAME, config, seed: 1 };
  const options = { batchSize: config.batchSize, cacheSize: CACHE_SIZE };
  const evaluator = await NetworkEvaluator.create(BENCH_GAME, await openOnnxModel(model), options);
  try {
    await playSelfPlayGames(rules, { firstGame: 0, games: WARM_UP_GAMES }, evaluator);
    const before = { evaluated: evaluator.evaluated, hits: evaluator.cache.hits };
    let positions = 0;
    const measured = await measure(async () => {
      const range = { firstGame: WARM_UP_GAMES, games: GAMES };
      const games = await playSelfPlayGames(rules, range, evaluator);
      positions = sumStatistics(games.map(({ statistics }) => statistics)).positions;
      return evaluator.evaluated - before.evaluated;
    });
    const evaluated = evaluator.evaluated - before.evaluated;
    const hits = evaluator.cache.hits - before.hits;
    const shares = await measureTimeShares(() =>
      playSelfPlayGames(rules, { firstGame: WARM_UP_GAMES + GAMES, games: WARM_UP_GAMES }, evaluator),
    );
    return {
      ...measured,
      positionsPerEvaluation: positions / evaluated,
      cacheHitRate: hits / (hits + evaluated),
      shares,
    };
  } finally {
    await evaluator.dispose();
  }
}
