import { ladderOfRun } from '../../training/run/measures/run-ladder.js';
import type { RunSummary } from '../../training/run/run-summary.js';
import { formatDuration } from '../progress/duration.js';
import { formatElo } from '../text/elo-text.js';
import type { Chart } from './chart.js';
import { stepButtons } from './page-parts.js';
import { escapeHtml, htmlTable } from './html-page.js';
import { ladderSection } from './ladder-section.js';
import { runCharts } from './run-charts.js';
import { drawGames } from './run-report/drawn-games.js';
import { figureHtml, type FigureData } from './run-report/figure-html.js';
import { REPORT_SCRIPT } from './run-report/report-script.js';
import { REPORT_STYLE } from './run-report/report-style.js';
import { defaultConfig, differingSettings, type ReportedRun } from './run-report/reported-run.js';
import { generationTimes, hoursByGeneration } from './working-time.js';
import { scriptJson } from './script-json.js';

const MATCH_NAMES = ['generation', 'opponent', 'games', 'won', 'drawn', 'lost', 'Elo [95 %]'];

function matchesTable({ evaluations }: RunSummary): string {
  if (evaluations.length === 0) return '<p>No match has been played.</p>';
  const rows = evaluations.map((record) => {
    const { generation, key, games, wins, draws, losses } = record;
    return [String(generation), key, ...[games, wins, draws, losses].map(String), formatElo(record)];
  });
  return `<div class="table names">${htmlTable(MATCH_NAMES, rows)}</div>`;
}

/** The ratings that follow from the run's matches; empty without any. */
function ratings({ evaluations }: RunSummary): string {
  const ladder = ladderOfRun(evaluations);
  if (ladder === null) return '';
  return `<div class="table names">${ladderSection(ladder.standings, ladder.anchor)}</div>\n`;
}

function workingTime({ records, summary }: ReportedRun): string {
  const { processes = 1, metrics, evaluations } = records;
  const hours = [...hoursByGeneration(generationTimes(metrics, evaluations, processes)).values()].at(-1) ?? 0;
  const { games, positions } = summary.generations.reduce(
    (sum, { games }) => ({ games: sum.games + games.games, positions: sum.positions + games.positions }),
    { games: 0, positions: 0 },
  );
  const count = (value: number): string => value.toLocaleString('en-US');
  return `${formatDuration(3600 * hours)} of work, ${count(games)} games, ${count(positions)} positions`;
}

function hardwareOf({ live, summary }: ReportedRun): string {
  const { versions } = summary;
  const by = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const { hardware, backend } = live ?? {};
  const machine =
    hardware === undefined
      ? []
      : [
          `${hardware.processor}, ${hardware.cores} cores, ${(hardware.memoryBytes / 2 ** 30).toFixed(0)} GiB, ${hardware.system}`,
          `TensorFlow: ${backend === 'native' ? 'native' : 'WebAssembly'}`,
        ];
  return [...machine, ...by].join('; ');
}

function factsOf(run: ReportedRun): string {
  const { summary, game } = run;
  const { generationsPlanned, newestCheckpoint, seed, configDigest } = summary;
  const best = summary.evaluations.at(-1);
  const facts: readonly (readonly [string, string])[] = [
    ['Game', `${game.id}, ${game.rules}`],
    ['Generation', `${newestCheckpoint ?? 'none'} of ${generationsPlanned}`],
    [
      'Newest match',
      best === undefined
        ? 'none'
        : `${formatElo(best)} Elo against ${best.key}, generation ${best.generation}`,
    ],
    ['Work', workingTime(run)],
    ['Made by', hardwareOf(run)],
    ['Seed, configuration', `${seed}, ${configDigest.slice(0, 12)}`],
  ];
  return `<dl>${facts.map(([name, text]) => `<dt>${name}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`;
}

/** The settings that differ from the defaults, or between two runs. */
function settingsSection(runs: readonly ReportedRun[]): string {
  const isOne = runs.length === 1;
  const configs = runs.map(({ summary }) => summary.config);
  const rows = differingSettings(isOne ? [...configs, defaultConfig()] : configs);
  const names = ['setting', ...(isOne ? ['this run', 'default'] : runs.map(({ name }) => name))];
  const cells = rows.map(({ path, values }) => [path, ...values.map((value) => value ?? 'not set')]);
  const between = isOne ? 'from the defaults' : 'between the runs';
  return `<details><summary>${rows.length} settings differ ${between}</summary>
<div class="table settings">${htmlTable(names, cells)}</div></details>`;
}

function gamesSection({ samples }: ReportedRun): string {
  if (samples.length === 0) return '<p>The folder of the run has no games.</p>';
  const options = samples.map(
    ({ title, end }, index) => `<option value="${index}">${escapeHtml(`${title}: ${end}`)}</option>`,
  );
  return `<div class="card game"><div id="board"></div><div>
<p><label for="game">Game</label> <select id="game">${options.join('')}</select></p>
${stepButtons()}
<p><label for="ply">Position</label> <input id="ply" type="range" min="0" value="0" max="0"></p>
<p id="position" aria-live="polite"></p></div></div>`;
}

/** The charts of two runs; charts with the same title are drawn as one. */
function comparedCharts(runs: readonly ReportedRun[]): readonly Chart[] {
  const all = runs.map(({ name, records }) =>
    runCharts(records).map((chart) => ({
      ...chart,
      curves: chart.curves.map((curve) => ({ ...curve, name: `${name}: ${curve.name}` })),
    })),
  );
  const titles = [...new Set(all.flat().map(({ title }) => title))];
  return titles.map((title) => {
    const charts = all.flat().filter((chart) => chart.title === title);
    return { ...charts[0]!, curves: charts.flatMap(({ curves }) => curves) };
  });
}

/** The charts of a report: of one run, or of two beside each other. */
export function chartsOf(runs: readonly ReportedRun[]): readonly Chart[] {
  return runs.length === 1 ? runCharts(runs[0]!.records) : comparedCharts(runs);
}

function chartsSection(charts: readonly Chart[], data: FigureData[]): string {
  if (charts.length === 0) return '<p>Nothing has been measured yet.</p>';
  const figures = charts.map((chart, index) => {
    const figure = figureHtml(chart, index);
    data.push(figure.data);
    return figure.html;
  });
  return `<p class="soft">Values: point at a chart, or use its arrow keys.</p>\n<div class="charts">${figures.join('\n')}</div>`;
}

function titleOf(runs: readonly ReportedRun[]): string {
  const [first] = runs;
  if (runs.length > 1) return `Runs ${runs.map(({ name }) => name).join(' and ')}`;
  const { newestCheckpoint, generationsPlanned } = first!.summary;
  return `Run ${first!.name}: ${first!.game.id}, generation ${newestCheckpoint ?? 'none'} of ${generationsPlanned}`;
}

/** A self-contained page about one run, or about two beside each other; `charts` as `chartsOf` returns them. */
export function reportPage(runs: readonly ReportedRun[], charts: readonly Chart[]): string {
  const data: FigureData[] = [];
  const title = titleOf(runs);
  const facts = runs.map(
    (run) => `${runs.length > 1 ? `<h2>${escapeHtml(run.name)}</h2>\n` : ''}${factsOf(run)}`,
  );
  const curves = chartsSection(charts, data);
  const games = runs.length === 1 ? `<h2>Sample games</h2>\n${gamesSection(runs[0]!)}\n` : '';
  const matches = runs.map(({ name, summary }) => {
    const of = runs.length > 1 ? ` of ${escapeHtml(name)}` : '';
    return `<h2>Ratings and matches${of}</h2>\n${ratings(summary)}${matchesTable(summary)}`;
  });
  const drawn = runs.length === 1 ? drawGames(runs[0]!.game, runs[0]!.samples) : null;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${facts.join('\n')}
${settingsSection(runs)}
<h2>Learning curves</h2>
${curves}
${games}${matches.join('\n')}
<script>const charts = ${scriptJson(data)}; const drawn = ${scriptJson(drawn)};</script>
<script>${REPORT_SCRIPT}</script>
</body>
</html>
`;
}
