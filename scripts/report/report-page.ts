import type { RunSummary } from '../../training/run/run-summary.js';
import { formatElo } from '../progress/loop-progress.js';
import type { Chart } from './chart.js';
import { chartsSvg } from './charts-svg.js';

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: 0.2rem 0.8rem; text-align: right; border-bottom: 1px solid #ddd; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
svg { max-width: 100%; height: auto; }
pre { background: #f5f5f5; padding: 1rem; overflow: auto; }
`;

/** Escapes text between tags and in attributes. */
function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
  return text.replace(/[&<>"]/g, (character) => `&${names[character]!};`);
}

function row(tag: 'th' | 'td', cells: readonly string[]): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
}

function matchesTable({ evaluations }: RunSummary): string {
  const rows = evaluations.map((record) => {
    const { generation, key, games, wins, draws, losses } = record;
    return row('td', [
      String(generation),
      key,
      ...[games, wins, draws, losses].map(String),
      formatElo(record),
    ]);
  });
  const head = row('th', ['generation', 'opponent', 'games', 'won', 'drawn', 'lost', 'Elo [95 %]']);
  return `<table>\n${[head, ...rows].join('\n')}\n</table>`;
}

/** A self-contained page about a run: summary, learning curves, matches, configuration. */
export function reportPage(summary: RunSummary, charts: readonly Chart[]): string {
  const { game, rules, seed, generationsPlanned, newestCheckpoint, configDigest, versions } = summary;
  const title = `${game}, ${rules}: generation ${newestCheckpoint ?? 'none'} of ${generationsPlanned}`;
  const by = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<h1>${escapeHtml(title)}</h1>
<p>Seed ${seed}, configuration ${escapeHtml(configDigest.slice(0, 12))}, ${escapeHtml(by.join(', '))}.</p>
<h2>Learning curves</h2>
${charts.length === 0 ? '<p>Nothing was measured yet.</p>' : chartsSvg(charts)}
<h2>Matches</h2>
${matchesTable(summary)}
<h2>Configuration</h2>
<pre>${escapeHtml(JSON.stringify(summary.config, null, 2))}</pre>
</html>
`;
}
