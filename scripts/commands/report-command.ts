import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { expectNoFile } from '../../data/files/output-folder.js';
import { DataError } from '../../data/data-error.js';
import { runPaths } from '../../training/run/run-paths.js';
import { readRecords } from '../../training/run/run-record-file.js';
import { summarizeRun } from '../../training/run/run-summary.js';
import type { OptionsOf } from '../lazy-commands.js';
import { gameModuleOption } from '../options/game-options.js';
import { expectEnding } from '../options/output-endings.js';
import { overwriteOption } from '../options/overwrite-option.js';
import type { Output } from '../output.js';
import { chartsSvg } from '../report/charts-svg.js';
import { reportPage } from '../report/report-page.js';
import { runCharts } from '../report/run-charts.js';

const declareFlags = (command: Command) =>
  command
    .option('--out <file>', 'the page (HTML; default: report.html in the folder of the run)')
    .option('--svg <file>', 'also write only the learning curves')
    .addOption(overwriteOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object');

type ReportOptions = OptionsOf<typeof declareFlags>;

async function runReport(output: Output, folder: string, options: ReportOptions): Promise<void> {
  for (const named of [options.out, options.svg]) {
    if (named !== undefined) await expectNoFile(named, options.overwrite);
  }
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
    expectEnding(report, '--out', options.out, '.html');
    expectEnding(report, '--svg', options.svg, '.svg');
    await runReport(output, folder, options);
  });
}
