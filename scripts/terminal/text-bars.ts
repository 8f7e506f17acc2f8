import type { HistogramSummary } from '../../data/histogram.js';

/** Characters of the longest bar. */
const BAR_WIDTH = 40;

/** A number for people: an integer unchanged, any other with four significant digits. */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

/** A part of a whole in percent; `-` of nothing. */
export function formatPercent(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** Cuts a text to a number of columns, with an ellipsis. */
export function cutText(text: string, columns: number): string {
  return text.length <= columns ? text : `${text.slice(0, Math.max(0, columns - 1))}…`;
}

/** A line for each name and value, with the values aligned in a column. */
export function alignPairs(pairs: readonly (readonly [string, string])[]): string {
  const width = Math.max(...pairs.map(([name]) => name.length)) + 2;
  return pairs.map(([name, value]) => `${name.padEnd(width)}${value}`.trimEnd()).join('\n');
}

/**
 * Lines of columns as wide as their widest cell. The first column is aligned to the left.
 *
 * @param gap number of spaces between columns.
 * @param side of the alignment of the other columns: right for numbers.
 */
export function alignTable(
  rows: readonly (readonly string[])[],
  { gap = 2, side = 'right' }: { readonly gap?: number; readonly side?: 'left' | 'right' } = {},
): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const cell = (text: string, column: number): string =>
    column === 0 || side === 'left' ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return rows.map((row) => row.map(cell).join(' '.repeat(gap)).trimEnd()).join('\n');
}

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
