import { countOf } from '../../../env/text/count-of.js';
import { formatPercent } from '../../../env/text/percent.js';
import { alignPairs, alignTable } from '../../text/columns.js';
import { END_WORDS, type EndKind, type EndSummary, type FigureGames } from './game-ends.js';
import type { GessStudy } from './gess-study.js';
import { STONE_ZONES } from './stone-zones.js';

function figuresText(figures: readonly FigureGames[]): string {
  return figures.map(({ figure, games }) => `${figure} ${games}`).join(', ') || 'none';
}

function describeEnds(ends: EndSummary): string {
  const { games, blackScore, plies } = ends;
  const share = (count: number): string => `${count} (${formatPercent(count / games)})`;
  const score = `${formatPercent(blackScore.mean)} [${formatPercent(blackScore.low)}, ${formatPercent(blackScore.high)}]`;
  return alignPairs([
    ['games', String(games)],
    ['won by Black', share(ends.blackWins)],
    ['drawn', share(ends.draws)],
    ['won by White', share(ends.whiteWins)],
    ["Black's score", score],
    ...(Object.keys(END_WORDS) as EndKind[]).map(
      (kind) => [END_WORDS[kind], share(ends.ends[kind])] as const,
    ),
    ['plies', `10 %: ${plies[0]}, median ${plies[1]}, 90 %: ${plies[2]}`],
    ['figures that took it', figuresText(ends.lastFigures)],
    ['figures that threatened', figuresText(ends.threats)],
    ['conceded games', `${ends.concededTo.several} with several threats, ${ends.concededTo.none} with none`],
  ]);
}

/** The study as text. */
export function describeStudy(study: GessStudy): string {
  const { rules, positions, ends, figures, stages, stones, removals = [] } = study;
  const head = `${countOf(positions, 'position')} of ${countOf(ends.games, 'game')}, rules ${rules}`;
  const figureRows = figures.map(({ figure, name, moves, error, preference }) => [
    figure,
    name ?? '',
    formatPercent(moves),
    `± ${(100 * error).toFixed(1)}`,
    preference.toFixed(2),
  ]);
  const stageRows = stages.map(({ from, positions: count, firstRing, severalRings, stones: mean }) => [
    `ply ${from} on`,
    String(count),
    formatPercent(firstRing),
    formatPercent(severalRings),
    mean.toFixed(1),
  ]);
  const stoneRows = stones.map(({ place, points, low, high }) => [
    place,
    points.toFixed(1),
    `[${low.toFixed(1)}, ${high.toFixed(1)}]`,
    STONE_ZONES.find(({ name }) => name === place)?.meaning ?? '',
  ]);
  const removalRows = removals.map(({ place, stones: count, points, low, high }) => [
    place,
    String(count),
    points.toFixed(1),
    `[${low.toFixed(1)}, ${high.toFixed(1)}]`,
  ]);
  return [
    head,
    describeEnds(ends),
    alignTable([['figure', 'name', 'moves', '95 %', 'preference'], ...figureRows]),
    alignTable([['stage', 'positions', 'first ring', 'several rings', 'stones'], ...stageRows]),
    alignTable([['stone', 'points', '95 %', 'where'], ...stoneRows], { leftColumns: Infinity }),
    ...(removals.length === 0
      ? []
      : [alignTable([['removed stone', 'stones', 'points', '95 %'], ...removalRows])]),
  ].join('\n\n');
}
