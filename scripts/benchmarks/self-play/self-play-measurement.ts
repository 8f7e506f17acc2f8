import { NetworkEvaluator } from '../../../agents/evaluators/network-evaluator.js';
import { createGess } from '../../../env/gess/gess.js';
import { SelfPlayConfig } from '../../../training/config/groups/self-play-config.js';
import { openOnnxModel } from '../../../training/inference/onnx-session.js';
import { CACHE_SIZE } from '../../../training/play/cache-size.js';
import { playSelfPlayGames } from '../../../training/self-play/self-play.js';
import { sumStatistics } from '../../../training/self-play/self-play-statistics.js';
import { measure, type Measured } from '../measured.js';
import { measureTimeShares, type TimeShares } from '../time-shares.js';

/** Number of games of the warm-up and of the measurement. */
const WARM_UP_GAMES = 8;
const GAMES = 32;
/** Ply limit: only the beginnings of games are measured. */
const PLY_LIMIT = 20;

/** Gess with a low ply limit. */
export const BENCH_GAME = createGess({ plyLimit: PLY_LIMIT });

/** Self-play in this process: network evaluations per second. */
export interface MeasuredGames extends Measured {
  readonly gamesPerProcessorSecond: number;
  readonly positionsPerEvaluation: number;
  readonly cacheHitRate: number;
  readonly shares: TimeShares;
}

/** Measures self-play with default settings in this process after a warm-up; shares of time come from separate games. */
export async function measureGames(model: Uint8Array): Promise<MeasuredGames> {
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
      gamesPerProcessorSecond: (GAMES * measured.perProcessorSecond) / evaluated,
      positionsPerEvaluation: positions / evaluated,
      cacheHitRate: hits / (hits + evaluated),
      shares,
    };
  } finally {
    await evaluator.dispose();
  }
}
