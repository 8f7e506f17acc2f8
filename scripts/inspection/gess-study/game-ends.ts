import { opponentOf, type Outcome } from '../../../env/game.js';
import { QUANTILE_97_5 } from '../../../training/statistics/normal-distribution.js';

/**
 * How a game ended: the last move broke the opponent's last ring, or the mover's own, after a search that had proven
 * the game lost whatever is played (`conceded`) or had not (`ringGivenUp`); the game was adjudicated or resigned; or it
 * was cut at the ply limit.
 */
export type EndKind = 'ringTaken' | 'conceded' | 'ringGivenUp' | 'adjudicated' | 'cut';

/** The ends in words. */
export const END_WORDS: Readonly<Record<EndKind, string>> = {
  ringTaken: 'last ring taken',
  conceded: 'conceded: every move lost',
  ringGivenUp: 'last ring given up',
  adjudicated: 'adjudicated or resigned',
  cut: 'cut at the ply limit',
};

/** The end of one game. */
export interface GameEnd {
  readonly plies: number;
  /** Of the rules, to Black; null if the game did not end by them. */
  readonly ruled: Outcome | null;
  /** To Black; null if the game has no result. */
  readonly result: Outcome | null;
  /** The player to move after the last move. */
  readonly nextPlayer: 0 | 1;
  /** Whether the search of the last move had proven the game lost. */
  readonly isProvenLoss: boolean;
  /** Figure of the piece that moved last, from the mover's view; null if unknown. */
  readonly lastFigure: string | null;
  /** Figures with which the opponent threatened the last mover's last ring, from the opponent's view. */
  readonly threats: readonly string[];
}

/** Results, ends and lengths of games. */
export interface EndSummary {
  readonly games: number;
  readonly blackWins: number;
  readonly draws: number;
  readonly whiteWins: number;
  /** Black's points a game, half a point for one without a result, with the 95 % interval. */
  readonly blackScore: { readonly mean: number; readonly low: number; readonly high: number };
  /** Games by the way they ended. */
  readonly ends: Readonly<Record<EndKind, number>>;
  /** Plies of the games: 10 %, 50 % and 90 % quantiles. */
  readonly plies: readonly [number, number, number];
  /** Figures whose move took the last ring, most frequent first, at most eight. */
  readonly lastFigures: readonly FigureGames[];
  /** Figures that threatened the last ring where a game was conceded; several in a game count once each. */
  readonly threats: readonly FigureGames[];
  /** Games that were conceded to several threats, and to none that wins at once. */
  readonly concededTo: { readonly several: number; readonly none: number };
}

/** A figure and its number of games. */
export interface FigureGames {
  readonly figure: string;
  readonly games: number;
}

/** Most figures that are listed. */
const MOST_FIGURES = 8;

/** How a game ended. */
export function endKind({ ruled, result, nextPlayer, isProvenLoss }: GameEnd): EndKind {
  if (ruled === null) return result === null ? 'cut' : 'adjudicated';
  const lastMover = opponentOf(nextPlayer);
  if ((ruled === 1) === (lastMover === 0)) return 'ringTaken';
  return isProvenLoss ? 'conceded' : 'ringGivenUp';
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

/** Mean of points and the interval of a normal distribution with their variance. */
function scoreOf(points: readonly number[]): EndSummary['blackScore'] {
  const mean = points.reduce((sum, each) => sum + each, 0) / points.length;
  const variance = points.reduce((sum, each) => sum + (each - mean) ** 2, 0) / points.length;
  const half = QUANTILE_97_5 * Math.sqrt(variance / points.length);
  return { mean, low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}

function countFigures(figures: readonly string[]): readonly FigureGames[] {
  const counts = new Map<string, number>();
  for (const figure of figures) counts.set(figure, (counts.get(figure) ?? 0) + 1);
  return [...counts]
    .sort(([a, games], [b, others]) => others - games || a.localeCompare(b))
    .slice(0, MOST_FIGURES)
    .map(([figure, games]) => ({ figure, games }));
}

/** Summarises the ends of games. */
export function summarizeEnds(all: readonly GameEnd[]): EndSummary {
  const ends = { ringTaken: 0, conceded: 0, ringGivenUp: 0, adjudicated: 0, cut: 0 };
  for (const end of all) ends[endKind(end)] += 1;
  const taken = all.filter((end) => endKind(end) === 'ringTaken');
  const conceded = all.filter((end) => endKind(end) === 'conceded');
  const results = all.map(({ result }) => result);
  const count = (wanted: Outcome): number => results.filter((result) => result === wanted).length;
  const plies = all.map((end) => end.plies).sort((a, b) => a - b);
  return {
    games: all.length,
    blackWins: count(1),
    draws: count(0),
    whiteWins: count(-1),
    blackScore: scoreOf(results.map((result) => ((result ?? 0) + 1) / 2)),
    ends,
    plies: [quantile(plies, 0.1), quantile(plies, 0.5), quantile(plies, 0.9)],
    lastFigures: countFigures(taken.flatMap(({ lastFigure }) => (lastFigure === null ? [] : [lastFigure]))),
    threats: countFigures(conceded.flatMap(({ threats }) => threats)),
    concededTo: {
      several: conceded.filter(({ threats }) => threats.length > 1).length,
      none: conceded.filter(({ threats }) => threats.length === 0).length,
    },
  };
}
