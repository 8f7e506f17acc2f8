import { join } from 'node:path';
import { Command } from 'commander';
import { writeFileAtomic } from '../../data/files/atomic-file.js';
import { DataError } from '../../data/data-error.js';
import { runPaths } from '../../training/run/run-paths.js';
import { readRecords } from '../../training/run/run-record-file.js';
import { summarizeRun } from '../../training/run/run-summary.js';
import type { Output } from '../output.js';

interface ReportOptions {
  readonly out?: string;
  readonly svg?: string;
  readonly json?: true;
}

async function runReport(output: Output, folder: string, options: ReportOptions): Promise<void> {
  // Loaded here: drawing is a large library that no other command needs.
  const [{ runCharts }, { chartsSvg }, { reportPage }] = await Promise.all([
    import('../report/run-charts.js'),
    import('../report/charts-svg.js'),
    import('../report/report-page.js'),
  ]);
  const summary = await summarizeRun(folder);
  const metrics = summary.generations.flatMap((generation) => generation.metrics ?? []);
  const accuracies = await readRecords(runPaths(folder), 'accuracies');
  const charts = runCharts({ metrics, evaluations: summary.evaluations, accuracies });
  const { out = join(folder, 'report.html'), svg } = options;
  await writeFileAtomic(out, reportPage(summary, charts));
  if (svg !== undefined) {
    if (charts.length === 0) throw new DataError('dataset-empty', `nothing was measured yet in ${folder}`);
    await writeFileAtomic(svg, chartsSvg(charts));
  }
  const files = [out, ...(svg === undefined ? [] : [svg])];
  output.result(
    options.json === true
      ? JSON.stringify({ files, charts: charts.map(({ title }) => title) })
      : files.join('\n'),
  );
}

/** `gess report`: a run's learning curves and matches, as a page and as an image. */
export function reportCommand(output: Output): Command {
  return new Command('report')
    .description("draw a run's learning curves and list its matches")
    .argument('<folder>', 'the folder of the run')
    .option('--out <file>', 'the page (HTML; default: report.html in the folder of the run)')
    .option('--svg <file>', 'the learning curves alone, too')
    .option('--json', 'print one JSON object')
    .action((folder: string, options: ReportOptions) => runReport(output, folder, options));
}
