import { formatPercent } from '../../env/text/percent.js';
import { DataError } from '../../data/data-error.js';
import type { Standings } from '../../training/matches/ladder/standings.js';
import { standingCells, STANDING_NAMES } from '../progress/ladder-text.js';
import { chartsSvg } from './charts-svg.js';
import { escapeHtml, htmlPage, htmlTable } from './html-page.js';
import { ladderChart } from './ladder-chart.js';

/** The table of a ladder as HTML. */
export function ladderSection({ players, drawShare }: Standings, anchor: string): string {
  return [
    htmlTable(
      STANDING_NAMES,
      players.map((player, index) => standingCells(player, index + 1)),
    ),
    `<p>Elo above ${escapeHtml(anchor)}; ${formatPercent(drawShare)} of the games between equal players are drawn.</p>`,
  ].join('\n');
}

/** A self-contained page about a ladder: ratings over generations, and the table. */
export function ladderPage(title: string, standings: Standings, anchor: string): string {
  const chart = ladderChart(standings);
  return htmlPage(
    title,
    [...(chart === null ? [] : [chartsSvg([chart])]), ladderSection(standings, anchor)].join('\n'),
  );
}

/**
 * The ratings over generations as one SVG image.
 *
 * @throws DataError `dataset-empty` without a rated checkpoint.
 */
export function ladderImage(standings: Standings): string {
  const chart = ladderChart(standings);
  if (chart !== null) return chartsSvg([chart]);
  throw new DataError('dataset-empty', 'expected rated checkpoints of a run to draw, found none');
}
