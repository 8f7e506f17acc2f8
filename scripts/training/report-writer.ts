import { join } from 'node:path';
import { errorText } from '../../env/text/error-text.js';
import { REPORT_FILE, writeReport } from '../../training/run/live/report-file.js';

/** Writes the report of a run repeatedly, one write at a time. A failure does not stop the run. */
export class ReportWriter {
  readonly path: string;
  private readonly folder: string;
  private readonly say: (text: string) => void;
  private writing: Promise<void> = Promise.resolve();
  private isWanted = false;
  private hasFailed = false;

  /** @param say called once, with the reason, if the report cannot be written. */
  constructor(folder: string, say: (text: string) => void) {
    this.folder = folder;
    this.path = join(folder, REPORT_FILE);
    this.say = say;
  }

  /** Writes the report soon; waiting requests count as one. */
  request(): void {
    if (this.isWanted || this.hasFailed) return;
    this.isWanted = true;
    this.writing = this.writing.then(() => this.write());
  }

  /** Resolves when no write is left. */
  async settle(): Promise<void> {
    await this.writing;
  }

  private async write(): Promise<void> {
    this.isWanted = false;
    try {
      // Loads ECharts on first use.
      const { chartsOf, reportPage } = await import('../report/report-page.js');
      const { readReportedRun } = await import('../report/run-report/reported-run.js');
      const runs = [await readReportedRun(this.folder)];
      await writeReport(this.path, reportPage(runs, chartsOf(runs)), true);
    } catch (error) {
      this.hasFailed = true;
      this.say(`no report: ${errorText(error)}`);
    }
  }
}
