import { expect, test, vi } from 'vitest';
import { ReportWriter } from '../../../scripts/training/report-writer.js';
import { temporaryFolder } from '../../data/temporary-folder.js';

vi.mock('../../../scripts/report/run-report/reported-run.js', () => ({
  readReportedRun: () => Promise.reject(new TypeError('a fault of a chart')),
}));

test('a report that cannot be written is reported once, whatever the reason, and stops nothing', async () => {
  const said: string[] = [];
  const writer = new ReportWriter(temporaryFolder(), (text) => said.push(text));
  for (let count = 1; count <= 2; count++) {
    writer.request();
    await writer.settle();
  }
  expect(said).toEqual(['no report: a fault of a chart']);
});
