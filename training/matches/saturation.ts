/** Score against an opponent above which further games say almost nothing about progress. */
const SATURATED_SCORE = 0.97;

/** Result of a generation's match. */
interface ScoreOfGeneration {
  readonly generation: number;
  /** Points over games. */
  readonly score: number;
  readonly games: number;
}

/** The expected score, with half a game won and half a game lost as the prior (statistics/ratings.ts). */
function expectedScore({ score, games }: ScoreOfGeneration): number {
  return (score * games + 0.5) / (games + 1);
}

/**
 * Whether an opponent is too weak for a generation to play: the expected score of the newest earlier generation that
 * played it, with half a win and half a loss as the prior, exceeds 97 %; in 16 games only a perfect score does.
 *
 * @param results of generations of one run against the opponent, in any order.
 */
export function isSaturated(results: Iterable<ScoreOfGeneration>, generation: number): boolean {
  let newest: ScoreOfGeneration | null = null;
  for (const result of results) {
    if (result.generation < generation && result.generation >= (newest?.generation ?? 0)) newest = result;
  }
  return newest !== null && expectedScore(newest) > SATURATED_SCORE;
}
