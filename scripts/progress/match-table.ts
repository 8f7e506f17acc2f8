import type { MatchReport } from '../../training/matches/match-run.js';
import type { Output } from '../output.js';
import { formatDuration } from './duration.js';
import { formatElo } from './loop-progress.js';
import { DRAW_MS, LINE_MS } from './progress.js';

/** Widths of the columns. */
const COLUMNS = [11, 6, 6, 6, 24, 9, 9] as const;
const NAMES = ['games', 'won', 'drawn', 'lost', 'Elo [95 %]', 'a minute', 'left'];

/** Shows a match in progress. */
export interface MatchTable {
  update(report: MatchReport): void;
  /** Ends the table. */
  stop(): void;
}

function row(cells: readonly string[]): string {
  return cells.map((cell, index) => cell.padStart(COLUMNS[index]!)).join(' ');
}

/** The pace of the games since the first report, which counts the games played earlier. */
interface Pace {
  readonly firstGames: number;
  readonly startMs: number;
}

function paceCells({ firstGames, startMs }: Pace, games: number, total: number): [string, string] {
  const played = games - firstGames;
  if (played <= 0) return ['-', '-'];
  const seconds = (performance.now() - startMs) / 1000;
  return [
    String(Number(((60 * played) / seconds).toPrecision(3))),
    formatDuration(((total - games) * seconds) / played),
  ];
}

/** The lines of the table, each of at most 80 columns. */
export function tableLines(report: MatchReport, total: number, pace: Pace): readonly string[] {
  const { result, sprt, games } = report;
  const counts =
    result === null ? ['0', '0', '0', '-'] : [result.wins, result.draws, result.losses].map(String);
  const cells = [
    `${games}/${total}`,
    ...(result === null ? counts : [...counts, formatElo(result)]),
    ...paceCells(pace, games, total),
  ];
  const lines = [row(cells)];
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
  const draw = (): void => {
    if (last === null || pace === null) return;
    const lines = tableLines(last, total, pace);
    if (output.terminal === undefined) output.message(lines.join('\n'));
    else output.terminal.show([row(NAMES), ...lines]);
  };
  const timer = setInterval(draw, output.terminal === undefined ? LINE_MS : DRAW_MS);
  timer.unref();
  return {
    update: (report) => {
      if (pace === null && output.terminal === undefined) output.message(row(NAMES));
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
