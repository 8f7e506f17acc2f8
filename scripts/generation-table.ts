import type { EvaluationRecord } from '../training/run/run-records.js';
import { formatElo } from './progress/loop-progress.js';

function cell(record: EvaluationRecord | undefined): string {
  if (record === undefined) return '-';
  const { wins, draws, losses } = record;
  return `${wins}/${draws}/${losses}  ${formatElo(record)}`;
}

/** Lines of columns as wide as their widest cell. */
function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column]!))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

/** What was learnt: the matches of generation 0 and of the last one with each opponent, side by side. */
export function compareGenerations(records: readonly EvaluationRecord[], last: number): string {
  const opponents = [...new Set(records.map(({ key }) => key))];
  const find = (key: string, generation: number): EvaluationRecord | undefined =>
    records.find((record) => record.key === key && record.generation === generation);
  return alignColumns([
    ['opponent', 'untrained: won/drawn/lost, Elo [95 %]', `generation ${last}: won/drawn/lost, Elo [95 %]`],
    ...opponents.map((key) => [key, cell(find(key, 0)), cell(find(key, last))]),
  ]);
}
