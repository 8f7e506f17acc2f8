import type { HistogramSummary } from '../../data/histogram.js';
import { formatNumber } from './number-text.js';

/** Characters of the longest bar. */
const BAR_WIDTH = 40;

/** A histogram as a line of figures and a bar for each bin. */
export function drawHistogram(title: string, { count, min, max, mean, bins }: HistogramSummary): string {
  if (min === null || max === null || mean === null) return `${title}: none`;
  const head = `${title}: ${count}, from ${formatNumber(min)} to ${formatNumber(max)}, mean ${formatNumber(mean)}`;
  const labels = bins.map(({ from }) => formatNumber(from));
  const width = Math.max(...labels.map(({ length }) => length));
  const most = Math.max(...bins.map((bin) => bin.count));
  const lines = bins.map((bin, index) => {
    const bar = '█'.repeat(Math.ceil((bin.count / most) * BAR_WIDTH));
    return `  ${labels[index]!.padStart(width)} ${bar}${bar === '' ? '' : ' '}${bin.count}`;
  });
  return [head, ...lines].join('\n');
}
