import type { EvaluationRecord } from '../../training/run/run-records.js';
import { formatElo } from '../text/elo-text.js';
import { alignTable } from '../text/columns.js';

function cell(record: EvaluationRecord | undefined): string {
  if (record === undefined) return '-';
  const { wins, draws, losses } = record;
  return `${wins}/${draws}/${losses}  ${formatElo(record)}`;
}

/** Compares the matches of generation 0 and of the last generation with each opponent, side by side. */
export function compareGenerations(records: readonly EvaluationRecord[], last: number): string {
  const opponents = [...new Set(records.map(({ key }) => key))];
  const find = (key: string, generation: number): EvaluationRecord | undefined =>
    records.find((record) => record.key === key && record.generation === generation);
  const rows = [
    ['opponent', 'untrained', `generation ${last}`],
    ...opponents.map((key) => [key, cell(find(key, 0)), cell(find(key, last))]),
  ];
  return `games won/drawn/lost, Elo [95 %]\n\n${alignTable(rows, { gap: 3, leftColumns: Infinity })}`;
}
