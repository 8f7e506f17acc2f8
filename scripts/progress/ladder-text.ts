import { alignTable } from '../text/columns.js';
import { formatDifference, formatInterval } from '../text/elo-text.js';
import { formatPercent } from '../../env/text/percent.js';
import type { Standing, Standings } from '../../training/matches/ladder/standings.js';

/** The rating and its interval: `+123`, `[+80, +∞]`; `-` where unknown. */
function ratingCells({ rating, low, high }: Standing): readonly [string, string] {
  if (rating === null) return ['-', '-'];
  return [formatDifference(rating), formatInterval(low, high)];
}

/** The cells of a row of the table of standings. */
export function standingCells(standing: Standing, rank: number): readonly string[] {
  const { name, games, score } = standing;
  const share = score === null ? '-' : formatPercent(score);
  return [String(rank), name, ...ratingCells(standing), String(games), share];
}

/** Names of the columns of `standingCells`. */
export const STANDING_NAMES: readonly string[] = ['', 'player', 'Elo', '95 %', 'games', 'score'];

/** The standings for people: a table, the best first. */
export function describeStandings({ players, drawShare }: Standings, anchor: string): string {
  const rows = [STANDING_NAMES, ...players.map((player, index) => standingCells(player, index + 1))];
  return [
    alignTable(rows, { leftColumns: 2 }),
    `Elo above ${anchor}; ${formatPercent(drawShare)} of the games between equal players are drawn`,
  ].join('\n');
}
