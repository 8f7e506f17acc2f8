import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { DataError } from '../../data/data-error.js';
import { quote } from '../../env/text/quoted-text.js';
import { runPaths } from '../../training/run/run-paths.js';
import { readRecords } from '../../training/run/run-record-file.js';
import { summarizeRun } from '../../training/run/run-summary.js';
import type { OptionsOf } from '../lazy-commands.js';
import { gameModuleOption } from '../options/game-options.js';
import type { Output } from '../output.js';
import { chartsSvg } from '../report/charts-svg.js';
import { reportPage } from '../report/report-page.js';
import { runCharts } from '../report/run-charts.js';
import { UsageError } from '../usage/usage-error.js';

const declareFlags = (command: Command) =>
  command
    .option('--out <file>', 'the page (HTML; default: report.html in the folder of the run)')
    .option('--svg <file>', 'also write only the learning curves')
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object');

type ReportCommand = ReturnType<typeof declareFlags>;
type ReportOptions = OptionsOf<typeof declareFlags>;

/** Checks the endings of the files to write, so that no file of a run is replaced by mistake. */
function expectEndings(command: ReportCommand): void {
  const { out = '.html', svg = '.svg' } = command.opts();
  for (const [option, path, ending] of [
    ['--out', out, '.html'],
    ['--svg', svg, '.svg'],
  ] as const) {
    if (path.toLowerCase().endsWith(ending)) continue;
    throw new UsageError(
      command,
      'option-value',
      `expected a name in ${ending} for ${option}, got ${quote(path)}`,
    );
  }
}

async function runReport(output: Output, folder: string, options: ReportOptions): Promise<void> {
  const summary = await summarizeRun(folder);
  const metrics = summary.generations.flatMap((generation) => generation.metrics ?? []);
  const accuracies = await readRecords(runPaths(folder), 'accuracies');
  const charts = runCharts({ metrics, evaluations: summary.evaluations, accuracies });
  const { out = join(folder, 'report.html'), svg } = options;
  await writeFileAtomic(out, reportPage(summary, charts));
  if (svg !== undefined) {
    if (charts.length === 0)
      throw new DataError('dataset-empty', `expected measurements in ${folder}, found none yet`);
    await writeFileAtomic(svg, chartsSvg(charts));
  }
  const files = [out, ...(svg === undefined ? [] : [svg])];
  output.result(
    options.json === true
      ? JSON.stringify({ files, charts: charts.map(({ title }) => title) })
      : files.join('\n'),
  );
}

/** `gess report`: draws a run's learning curves and matches, as a page and as an image. */
export function defineReport(command: Command, output: Output): void {
  const report = declareFlags(command);
  report.argument('<folder>', 'the folder of the run').action(async (folder, options) => {
    expectEndings(report);
    await runReport(output, folder, options);
  });
}
