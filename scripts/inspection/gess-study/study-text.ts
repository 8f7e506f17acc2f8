import { alignPairs, alignTable } from '../../terminal/text-bars.js';
import type { EndSummary } from './game-ends.js';
import type { GessStudy } from './gess-study.js';
import { STONE_ZONES } from './stone-zones.js';

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function describeEnds(ends: EndSummary): string {
  const { games, blackScore, plies } = ends;
  const share = (count: number): string => `${count} (${percent(count / games)})`;
  const score =
    blackScore === null
      ? 'unknown'
      : `${percent(blackScore.mean)} [${percent(blackScore.low)}, ${percent(blackScore.high)}]`;
  return alignPairs([
    ['games', String(games)],
    ['won by Black', share(ends.blackWins)],
    ['drawn', share(ends.draws)],
    ['won by White', share(ends.whiteWins)],
    ["Black's score", score],
    ['last ring taken', share(ends.ends.ringTaken)],
    ['last ring given up', share(ends.ends.ringGivenUp)],
    ['adjudicated or resigned', share(ends.ends.adjudicated)],
    ['cut at the ply limit', share(ends.ends.cut)],
    ['plies', `10 %: ${plies[0]}, median ${plies[1]}, 90 %: ${plies[2]}`],
    [
      'figures that took it',
      ends.lastFigures.map(({ figure, games: count }) => `${figure} ${count}`).join(', '),
    ],
  ]);
}

/** The study as text. */
export function describeStudy({ rules, positions, ends, figures, stages, stones }: GessStudy): string {
  const head = `${positions} positions of ${ends.games} games, rules ${rules}`;
  const figureRows = figures.map(({ figure, name, moves, preference }) => [
    figure,
    name ?? '',
    percent(moves),
    preference.toFixed(2),
  ]);
  const stageRows = stages.map(({ from, positions: count, firstRing, severalRings, stones: mean }) => [
    `ply ${from} on`,
    String(count),
    percent(firstRing),
    percent(severalRings),
    mean.toFixed(1),
  ]);
  const stoneRows = stones.map(({ zone, points, low, high }) => [
    zone,
    points.toFixed(1),
    `[${low.toFixed(1)}, ${high.toFixed(1)}]`,
    STONE_ZONES.find(({ name }) => name === zone)!.meaning,
  ]);
  return [
    head,
    describeEnds(ends),
    alignTable([['figure', 'name', 'moves', 'preference'], ...figureRows]),
    alignTable([['stage', 'positions', 'first ring', 'several rings', 'stones'], ...stageRows]),
    alignTable([['stone', 'points', '95 %', 'where'], ...stoneRows], { side: 'left' }),
  ].join('\n\n');
}
