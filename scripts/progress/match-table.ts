import type { MatchReport } from '../../training/matches/match-run.js';
import type { Output } from '../output.js';
import { formatDuration } from './duration.js';
import { formatElo } from '../text/elo-text.js';
import { DRAW_MS, LINE_MS, formatRate } from './progress.js';

/** The columns in their order, 77 wide; in a narrow terminal those of the highest `rank` are left out. */
const COLUMNS = [
  { name: 'games', width: 11, rank: 0 },
  { name: 'won', width: 6, rank: 2 },
  { name: 'drawn', width: 6, rank: 2 },
  { name: 'lost', width: 6, rank: 2 },
  { name: 'Elo [95 %]', width: 20, rank: 1 },
  { name: 'a minute', width: 9, rank: 0 },
  { name: 'left', width: 13, rank: 0 },
] as const;

const NAMES = COLUMNS.map(({ name }) => name);

/** Shows a match in progress. */
export interface MatchTable {
  update(report: MatchReport): void;
  /** Ends the table. */
  stop(): void;
}

/** A row of the columns up to a rank. */
function rowOfRank(cells: readonly string[], highest: number): string {
  return cells
    .map((cell, index) => cell.padStart(COLUMNS[index]!.width))
    .filter((_cell, index) => COLUMNS[index]!.rank <= highest)
    .join(' ');
}

/** A row with as many columns as fit: count, rate and time left always stay. */
function row(cells: readonly string[], columns = Infinity): string {
  const rank = [2, 1].find((highest) => rowOfRank(NAMES, highest).length < columns) ?? 0;
  return rowOfRank(cells, rank);
}

/** The pace of the games since the first report, which counts the games played earlier. */
interface Pace {
  readonly firstGames: number;
  readonly startMs: number;
}

/** Games a minute and the time left; before the first game the time so far, which shows that the match is running. */
function paceCells({ firstGames, startMs }: Pace, games: number, total: number): [string, string] {
  const played = games - firstGames;
  const seconds = (performance.now() - startMs) / 1000;
  if (played <= 0) return ['-', `${formatDuration(seconds)} so far`];
  return [formatRate((60 * played) / seconds), formatDuration(((total - games) * seconds) / played)];
}

/** The lines of the table below its names, for a terminal of so many columns. */
export function tableLines(
  report: MatchReport,
  total: number,
  pace: Pace,
  columns = Infinity,
): readonly string[] {
  const { result, sprt, games } = report;
  const counts =
    result === null ? ['0', '0', '0', '-'] : [result.wins, result.draws, result.losses].map(String);
  const cells = [
    `${games}/${total}`,
    ...(result === null ? counts : [...counts, formatElo(result)]),
    ...paceCells(pace, games, total),
  ];
  const lines = [row(cells, columns)];
  if (sprt !== null) {
    const [llr, low, high] = [sprt.llr, sprt.llrLow, sprt.llrHigh].map((value) => value.toFixed(2));
    lines.push(`log-likelihood ratio ${llr}, decides at ${low} and ${high}`);
  }
  return lines;
}

/**
 * Shows a match in progress on stderr: on a terminal a table that changes in place, else a line a minute.
 *
 * @param total maximum number of games.
 */
export function createMatchTable(output: Output, total: number): MatchTable {
  let pace: Pace | null = null;
  let last: MatchReport | null = null;
  /** Whether a line with the names of the columns has been printed. */
  let isNamed = false;
  const draw = (): void => {
    if (last === null || pace === null) return;
    const columns = output.terminal?.columns;
    const lines = tableLines(last, total, pace, columns);
    if (output.terminal === undefined) {
      output.message([...(isNamed ? [] : [row(NAMES)]), ...lines].join('\n'));
      isNamed = true;
    } else output.terminal.show([row(NAMES, columns), ...lines]);
  };
  const timer = setInterval(draw, output.terminal === undefined ? LINE_MS : DRAW_MS);
  timer.unref();
  return {
    update: (report) => {
      pace ??= { firstGames: report.games, startMs: performance.now() };
      last = report;
      if (output.terminal !== undefined) draw();
    },
    stop: () => {
      clearInterval(timer);
      output.terminal?.show([]);
    },
  };
}
