import { isLearnt, type Sample } from '../../data/shards/sample.js';
import { type Action, type Game, type Outcome, outcomeTo, type Player } from '../../env/game.js';
import { NO_RESIGNATION, type ResignationWatch } from './resignation.js';
import { statisticsOfGame, type GameStatistics } from './self-play-statistics.js';

/** The targets for a position that are known before its game ends. */
export interface Decision {
  /** `[L]` all legal actions, ascending; not copied. */
  readonly actions: Uint16Array;
  /** `[L]` sums to 1; not copied. */
  readonly policy: Float32Array;
  readonly policyWeight: number;
  /** Value in [-1, 1] to the player to move; null without a search. */
  readonly rootValue: number | null;
  readonly searchSize: number;
  /** As in `Sample`. */
  readonly surprise: number | null;
}

/** The samples and the statistics of one game. */
export interface FinishedGame {
  readonly gameId: number;
  readonly samples: readonly Sample[];
  readonly statistics: GameStatistics;
}

interface Row extends Decision {
  readonly position: Uint8Array;
  readonly player: Player;
  readonly ply: number;
  readonly played: Action;
}

/** The end of a game that was adjudicated. */
interface Adjudication {
  /** Outcome to player 0. */
  readonly outcome: Outcome;
  /** Rows have no weight from this ply on. */
  readonly firstPly: number;
}

const UNWEIGHTED: Partial<Decision> = { policyWeight: 0, surprise: null };

/**
 * Least mean value of searches, in [0, 1], that counts as a win (docs/explanation/learning-methods.md, "Quiet games").
 */
const CLEAR_VALUE = 0.7;

/** The outcome, to player 0, of a game that was adjudicated by these values of searches. */
function outcomeOfValues(values: readonly number[]): Outcome {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  if (Math.abs(mean) < CLEAR_VALUE) return 0;
  return mean > 0 ? 1 : -1;
}

/** A game being played for training: its state and its rows so far. */
export class TrainingGame<State> {
  readonly state: State;
  readonly gameId: number;
  private readonly game: Game<State>;
  private readonly rows: Row[] = [];
  /** Rows of earlier plies have no result, because a move that nobody chose came after them. */
  private resultFrom = 0;
  private resigner: Player | null = null;
  private adjudication: Adjudication | null = null;

  constructor(game: Game<State>, gameId: number) {
    this.game = game;
    this.gameId = gameId;
    this.state = game.initialState();
  }

  /** Whether the game has ended: by the rules, by the ply limit, by resignation or by adjudication. */
  get isOver(): boolean {
    return (
      this.resigner !== null ||
      this.adjudication !== null ||
      this.game.outcome(this.state) !== null ||
      this.game.ply(this.state) >= this.game.plyLimit
    );
  }

  /** Resigns for the player to move. */
  resign(): void {
    this.resigner = this.game.currentPlayer(this.state);
  }

  /**
   * Ends a quiet game: the side that the searches of the last plies clearly favour has won; else the game is drawn.
   *
   * @param quietPlies number of these plies. Their rows lose their weight; rows without a search, which
   *   are learnt whatever their weight, are dropped.
   */
  adjudicate(quietPlies: number): void {
    const firstPly = this.game.ply(this.state) - quietPlies;
    const values = this.rows
      .filter(({ ply, rootValue }) => ply >= firstPly && rootValue !== null)
      .map(({ player, rootValue }) => (player === 0 ? 1 : -1) * rootValue!);
    this.adjudication = { outcome: outcomeOfValues(values), firstPly };
  }

  /**
   * Plays a move of an opening or a random one, without recording a row. The game's result says nothing about the
   * positions before it, so their rows have none.
   */
  playRandom(action: Action): void {
    this.game.apply(this.state, action);
    this.resultFrom = this.game.ply(this.state);
  }

  /** Records the position with its decision as a row, and plays the move. */
  playDecision(action: Action, decision: Decision): void {
    const position = new Uint8Array(this.game.packedSize);
    this.game.pack(this.state, position, 0);
    const player = this.game.currentPlayer(this.state);
    this.rows.push({ ...decision, position, player, ply: this.game.ply(this.state), played: action });
    this.game.apply(this.state, action);
  }

  /**
   * Returns the samples, in order, and the statistics of the finished game. A truncated game has no result; a resigned
   * or adjudicated game ends at that ply. Rows before the last random move have no result.
   *
   * @param evaluations number of evaluations requested in the game.
   * @param watch the resignation watch of a game in which players could resign.
   */
  finish(evaluations: number, watch?: ResignationWatch): FinishedGame {
    const isResigned = this.resigner !== null;
    const outcome = this.outcome();
    const resignation = watch?.summary(outcome, isResigned) ?? NO_RESIGNATION;
    const plies = this.game.ply(this.state);
    const finalPosition = new Uint8Array(this.game.packedSize);
    this.game.pack(this.state, finalPosition, 0);
    const { adjudication } = this;
    const isQuiet = ({ ply }: Row): boolean => adjudication !== null && ply >= adjudication.firstPly;
    const rows = this.rows.filter((row) => !isQuiet(row) || row.searchSize > 0);
    const samples = rows.map((row) => ({
      ...row,
      ...(isQuiet(row) && UNWEIGHTED),
      result: outcome === null || row.ply < this.resultFrom ? null : outcomeTo(row.player, outcome),
      pliesLeft: plies - row.ply,
      gameId: this.gameId,
      finalPosition,
    }));
    const statistics = statisticsOfGame({
      outcome,
      plies,
      positions: samples.length,
      learntPositions: samples.filter(isLearnt).length,
      isAdjudicated: adjudication !== null,
      evaluations,
      resignation,
    });
    return { gameId: this.gameId, samples, statistics };
  }

  /** The outcome to player 0; null for an unfinished or truncated game. */
  private outcome(): Outcome | null {
    if (this.resigner !== null) return this.resigner === 0 ? -1 : 1;
    return this.adjudication?.outcome ?? this.game.outcome(this.state);
  }
}
