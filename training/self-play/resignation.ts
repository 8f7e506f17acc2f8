import type { Outcome, Player } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import type { SelfPlayConfig } from '../config/groups/self-play-config.js';

/** Number of equal bins of lowest values from -1 to 0; higher values are not counted. */
export const LOW_BINS = 20;

/** Smallest number of games played on for a calibration. */
const LEAST_PLAYED_ON = 20;
/** Upper limit of calibrated values. */
const GREATEST_VALUE = -0.5;
/** Lower limit of calibrated values: only proven losses are resigned. */
const LEAST_VALUE = -0.999;

/** The contribution of one game to the statistics of resignation. */
export interface ResignationSummary {
  readonly isResigned: boolean;
  /** Whether resignation was enabled for other games but not for this one. */
  readonly isPlayedOn: boolean;
  /** Bin of the lowest value of the side that lost, if the game was played on; null if there is no such bin. */
  readonly loserBin: number | null;
  /** The same for the side that won or, in a drawn game, for the lower of both values. */
  readonly survivorBin: number | null;
}

/** The summary of a game without resignation. */
export const NO_RESIGNATION: ResignationSummary = {
  isResigned: false,
  isPlayedOn: false,
  loserBin: null,
  survivorBin: null,
};

function binOf(low: number): number | null {
  const bin = Math.floor((low + 1) * LOW_BINS);
  return bin < LOW_BINS ? bin : null;
}

/**
 * Decides when a player of one game resigns, and records the lowest values of games that are played on.
 *
 * @see Silver et al. 2017, "Mastering the game of Go without human knowledge", Methods, "Self-play".
 */
export class ResignationWatch {
  private readonly resignValue: number;
  private readonly isOn: boolean;
  private readonly isPlayedOn: boolean;
  /** Lowest value of each player's searches since `restart`, to that player. */
  private lows: [number, number] = [1, 1];

  /** Uses `rng` only if resignation is enabled. */
  constructor({ resignValue, playOnShare }: SelfPlayConfig, rng: Rng) {
    this.resignValue = resignValue;
    this.isOn = resignValue > -1;
    this.isPlayedOn = this.isOn && rng.float() < playOnShare;
  }

  /**
   * Records the result of a search.
   *
   * @param value of its root, to `player`, the player to move.
   * @returns whether the player resigns.
   */
  resigns(player: Player, value: number): boolean {
    this.lows[player] = Math.min(this.lows[player], value);
    return this.isOn && !this.isPlayedOn && value < this.resignValue;
  }

  /** Forgets the values so far: after a random move, the result no longer says whether they were right. */
  restart(): void {
    this.lows = [1, 1];
  }

  /** @param outcome to player 0; null for a truncated game. */
  summary(outcome: Outcome | null, isResigned: boolean): ResignationSummary {
    const [first, second] = this.lows;
    const unknown = { ...NO_RESIGNATION, isResigned, isPlayedOn: this.isPlayedOn };
    if (!this.isPlayedOn || outcome === null) return unknown;
    if (outcome === 0) return { ...unknown, survivorBin: binOf(Math.min(first, second)) };
    const [winner, loser] = outcome === 1 ? [first, second] : [second, first];
    return { ...unknown, loserBin: binOf(loser), survivorBin: binOf(winner) };
  }
}

/** Counts of games that were played on, with the names of `GameStatistics`. */
export interface PlayedOnCounts {
  readonly playedOn: number;
  /** `[LOW_BINS]` */
  readonly loserLows: readonly number[];
  /** `[LOW_BINS]` */
  readonly survivorLows: readonly number[];
}

/**
 * The calibrated `resignValue`: the largest value at which, among the games played on, at most `resignErrorShare` of
 * the resignations would have been wrong. Returns the configured value if calibration is disabled or has too few games.
 *
 * @param played counts of earlier generations.
 */
export function calibrateResignation(
  { resignValue, resignErrorShare }: SelfPlayConfig,
  { playedOn, loserLows, survivorLows }: PlayedOnCounts,
): number {
  if (resignValue === -1 || resignErrorShare === 0 || playedOn < LEAST_PLAYED_ON) return resignValue;
  let best = LEAST_VALUE;
  let wrong = 0;
  let right = 0;
  for (let bin = 0; bin < LOW_BINS; bin++) {
    const value = -1 + (bin + 1) / LOW_BINS;
    if (value > GREATEST_VALUE) break;
    wrong += survivorLows[bin]!;
    right += loserLows[bin]!;
    if (right > 0 && wrong <= resignErrorShare * (wrong + right)) best = value;
  }
  return best;
}
