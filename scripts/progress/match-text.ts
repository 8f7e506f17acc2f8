import { countOf } from '../../env/text/count-of.js';
import { formatPercent } from '../../env/text/percent.js';
import type { MatchResult } from '../../training/matches/match-result.js';
import type { MatchReport } from '../../training/matches/match-run.js';
import type { MatchSettings } from '../../training/matches/match-settings.js';
import type { SprtState } from '../../training/statistics/sprt.js';
import { LEAST_PAIRS } from '../../training/statistics/normalized-elo.js';
import { formatElo } from '../text/elo-text.js';

/** Digits of a digest that identify a book for people. */
const DIGEST_DIGITS = 12;

function describeSpread({
  pentanomial,
  normalizedElo,
  normalizedEloError,
  superiority,
}: MatchResult): string {
  const pairs = pentanomial.reduce((sum, count) => sum + count, 0);
  if (superiority === null) return `normalised Elo and likelihood of superiority: need ${LEAST_PAIRS} pairs`;
  const likelihood = `likelihood of superiority ${formatPercent(superiority)}`;
  if (pentanomial.includes(pairs))
    return `normalised Elo: none, all pairs have the same points; ${likelihood}`;
  // Adding 0 removes the sign of a rounded -0.
  const elo = Math.round(normalizedElo) + 0;
  return `normalised Elo ${elo} ± ${normalizedEloError.toFixed(0)}, ${likelihood}`;
}

function describeTest({ sprt }: MatchSettings, { llr, llrLow, llrHigh, accepted }: SprtState): string {
  const { elo0, elo1, alpha, beta, scale } = sprt!;
  const verdict = accepted === null ? 'undecided' : `accepts ${accepted}, ${accepted === 'H0' ? elo0 : elo1}`;
  const unit = scale === 'elo' ? 'Elo' : 'normalised Elo';
  return (
    `sequential test of ${elo0} against ${elo1} ${unit} (alpha ${alpha}, beta ${beta}): ${verdict}; ` +
    `log-likelihood ratio ${llr.toFixed(2)} [${llrLow.toFixed(2)}, ${llrHigh.toFixed(2)}]`
  );
}

function describeOpenings({ openings }: MatchSettings): string {
  if ('plies' in openings) return `openings: ${openings.plies} careful random plies`;
  return `openings: ${openings.book}, sha256 ${openings.sha256.slice(0, DIGEST_DIGITS)}`;
}

/** The result of a match for people, several lines. */
export function describeMatch(settings: MatchSettings, { result, sprt, games }: MatchReport): string {
  const title = `${settings.agent} against ${settings.opponent}`;
  if (result === null) return `${title}: no pair of games has ended`;
  const { wins, draws, losses, truncated, forfeits, pentanomial, msPerMove, meanPlies } = result;
  const atLimit = truncated === 0 ? '' : ` (${truncated} without a result at the ply limit, scored as drawn)`;
  const late = forfeits.agent + forfeits.opponent;
  return [
    `${title}: ${wins} won, ${draws} drawn${atLimit}, ${losses} lost`,
    `Elo ${formatElo(result)} (95 %), pairs by points 0 ½ 1 1½ 2: ${pentanomial.join(' ')}`,
    describeSpread(result),
    ...(sprt === null ? [] : [describeTest(settings, sprt)]),
    `${countOf(games, 'game')}, ${meanPlies.toFixed(0)} plies per game, ${msPerMove.agent.toFixed(1)} ms per move, ` +
      `opponent ${msPerMove.opponent.toFixed(1)} ms`,
    ...(late === 0
      ? []
      : [`lost by time or fault: ${forfeits.agent} by the agent, ${forfeits.opponent} by the opponent`]),
    describeOpenings(settings),
  ].join('\n');
}
