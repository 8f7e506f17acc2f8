import { join } from 'node:path';
import type { Command } from '@commander-js/extra-typings';
import { expectPlaceForFile, writeOutputFile } from '../../../data/files/output-file.js';
import { DataError } from '../../../data/data-error.js';
import { REPORT_FILE, writeReport } from '../../../training/run/live/report-file.js';
import type { OptionsOf } from '../../usage/lazy-commands.js';
import { expectOwnGame, gameModuleOption } from '../../options/game-options.js';
import { expectEnding } from '../../options/output-endings.js';
import { overwriteOption } from '../../options/overwrite-option.js';
import type { Output } from '../../output.js';
import { chartsSvg } from '../../report/charts-svg.js';
import { chartsOf, reportPage } from '../../report/report-page.js';
import { readReportedRun, type ReportedRun } from '../../report/run-report/reported-run.js';
import { UsageError } from '../../usage/usage-error.js';

const declareFlags = (command: Command) =>
  command
    .option(
      '--out <file>',
      'the page (HTML; default: report.html, or comparison.html for two runs, in the folder of the first run)',
    )
    .option('--svg <file>', 'also write only the learning curves')
    .addOption(overwriteOption)
    .addOption(gameModuleOption)
    .option('--json', 'print one JSON object');

type ReportOptions = OptionsOf<typeof declareFlags>;

async function runReport(
  command: Command,
  output: Output,
  folders: readonly string[],
  options: ReportOptions,
): Promise<void> {
  for (const named of [options.out, options.svg]) {
    if (named !== undefined) await expectPlaceForFile(named, options.overwrite);
  }
  const runs: ReportedRun[] = [];
  for (const folder of folders) {
    const run = await readReportedRun(folder);
    expectOwnGame(command, run.game.id, `the run in ${folder}`);
    runs.push(run);
  }
  const charts = chartsOf(runs);
  const name = runs.length === 1 ? REPORT_FILE : 'comparison.html';
  const { out = join(folders[0]!, name), svg, overwrite } = options;
  await writeReport(out, reportPage(runs, charts), options.out === undefined || overwrite === true);
  if (svg !== undefined) {
    if (charts.length === 0)
      throw new DataError('dataset-empty', `expected measurements in ${folders.join(', ')}, found none yet`);
    await writeOutputFile(svg, chartsSvg(charts), overwrite);
  }
  const files = [out, ...(svg === undefined ? [] : [svg])];
  output.result(
    options.json === true
      ? JSON.stringify({ files, charts: charts.map(({ title }) => title) })
      : files.join('\n'),
  );
}

/** `gess report`: one page about a run, or about two runs beside each other. */
export function defineReport(command: Command, output: Output): void {
  const report = declareFlags(command);
  report
    .argument('<runs...>', 'the folder of the run, or of two runs to compare')
    .action(async (folders, options) => {
      if (folders.length > 2) {
        throw new UsageError(report, 'argument-excess', `expected one run or two, got ${folders.length}`);
      }
      expectEnding(report, '--out', options.out, '.html');
      expectEnding(report, '--svg', options.svg, '.svg');
      await runReport(command, output, folders, options);
    });
}
