import { ladderOfRun } from '../../training/run/run-ladder.js';
import type { RunSummary } from '../../training/run/run-summary.js';
import { formatElo } from '../progress/loop-progress.js';
import type { Chart } from './chart.js';
import { chartsSvg } from './charts-svg.js';
import { escapeHtml, htmlPage, htmlTable } from './html-page.js';
import { ladderSection } from './ladder-section.js';

const MATCH_NAMES = ['generation', 'opponent', 'games', 'won', 'drawn', 'lost', 'Elo [95 %]'];

function matchesTable({ evaluations }: RunSummary): string {
  const rows = evaluations.map((record) => {
    const { generation, key, games, wins, draws, losses } = record;
    return [String(generation), key, ...[games, wins, draws, losses].map(String), formatElo(record)];
  });
  return htmlTable(MATCH_NAMES, rows);
}

/** The ratings that follow from the run's matches; empty without any. */
function ratings({ evaluations }: RunSummary): string {
  const ladder = ladderOfRun(evaluations);
  return ladder === null ? '' : `<h2>Ratings</h2>\n${ladderSection(ladder.standings, ladder.anchor)}\n`;
}

/** A self-contained page about a run: summary, learning curves, ratings, matches, configuration. */
export function reportPage(summary: RunSummary, charts: readonly Chart[]): string {
  const { game, rules, seed, generationsPlanned, newestCheckpoint, configDigest, versions } = summary;
  const title = `${game}, ${rules}: generation ${newestCheckpoint ?? 'none'} of ${generationsPlanned}`;
  const by = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return htmlPage(
    title,
    `<p>Seed ${seed}, configuration ${escapeHtml(configDigest.slice(0, 12))}, ${escapeHtml(by.join(', '))}.</p>
<h2>Learning curves</h2>
${charts.length === 0 ? '<p>Nothing was measured yet.</p>' : chartsSvg(charts)}
${ratings(summary)}<h2>Matches</h2>
${matchesTable(summary)}
<h2>Configuration</h2>
<pre>${escapeHtml(JSON.stringify(summary.config, null, 2))}</pre>`,
  );
}
