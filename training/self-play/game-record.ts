import type { Sample } from '../../data/shards/sample.js';
import type { Action, Game, Outcome, Player } from '../../env/game.js';
import type { GameStart } from './game-start.js';
import type { StartKind } from '../config/starts-config.js';
import { NO_RESIGNATION, type ResignationWatch } from './resignation.js';
import { statisticsOfGame, type GameStatistics } from './self-play-statistics.js';

/** What is learnt from a position before the end of its game is known. */
export interface Decision {
  /** `[L]` all legal actions, ascending; kept. */
  readonly actions: Uint16Array;
  /** `[L]` sums to 1; kept. */
  readonly policy: Float32Array;
  readonly policyWeight: number;
  /** In [-1, 1] to the player to move; null where nothing searched. */
  readonly rootValue: number | null;
  readonly searchSize: number;
  /** As in `Sample`. */
  readonly surprise: number | null;
}

/** The samples of one game, the numbers they came from, and what the game adds to the statistics. */
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

function resultFor(player: Player, outcome: Outcome | null): Outcome | null {
  if (outcome === null || outcome === 0) return outcome;
  return player === 0 ? outcome : outcome === 1 ? -1 : 1;
}

/** A game being played for training: its state, and the rows it has given so far. */
export class GameRecord<State> {
  readonly state: State;
  readonly gameId: number;
  private readonly game: Game<State>;
  private readonly rows: Row[] = [];
  private readonly startKind: StartKind | null;
  /** The ply that the game began at. */
  readonly startPly: number;
  private resigner: Player | null = null;

  /** @param start left out: the game's own, and the statistics say nothing of starts. */
  constructor(game: Game<State>, gameId: number, start?: GameStart<State>) {
    this.game = game;
    this.gameId = gameId;
    this.state = start?.state ?? game.initialState();
    this.startKind = start?.kind ?? null;
    this.startPly = game.ply(this.state);
  }

  /** By the rules, because it has reached the ply limit, or because somebody resigned. */
  get isOver(): boolean {
    return (
      this.resigner !== null ||
      this.game.outcome(this.state) !== null ||
      this.game.ply(this.state) >= this.game.plyLimit
    );
  }

  /** The player to move gives up. */
  resign(): void {
    this.resigner = this.game.currentPlayer(this.state);
  }

  /** Plays a move that gives no row. */
  play(action: Action): void {
    this.game.apply(this.state, action);
  }

  /** Keeps the position with what was decided in it, and plays the move. */
  playDecision(action: Action, decision: Decision): void {
    const position = new Uint8Array(this.game.packedSize);
    this.game.pack(this.state, position, 0);
    const player = this.game.currentPlayer(this.state);
    this.rows.push({ ...decision, position, player, ply: this.game.ply(this.state), played: action });
    this.play(action);
  }

  /**
   * The game as samples, in order, when it is over. A truncated game has no result; a resigned one ends where it was
   * given up.
   *
   * @param evaluations that were asked for in it.
   * @param watch of a game in which players could resign.
   */
  finish(evaluations: number, watch?: ResignationWatch): FinishedGame {
    const isResigned = this.resigner !== null;
    const outcome = isResigned ? (this.resigner === 0 ? -1 : 1) : this.game.outcome(this.state);
    const resignation = watch?.summary(outcome, isResigned) ?? NO_RESIGNATION;
    const plies = this.game.ply(this.state);
    const finalPosition = new Uint8Array(this.game.packedSize);
    this.game.pack(this.state, finalPosition, 0);
    const samples = this.rows.map((row) => ({
      ...row,
      result: resultFor(row.player, outcome),
      pliesLeft: plies - row.ply,
      gameId: this.gameId,
      finalPosition,
    }));
    const statistics = statisticsOfGame({
      outcome,
      plies,
      positions: samples.length,
      evaluations,
      resignation,
      start: this.startKind === null ? null : { kind: this.startKind, ply: this.startPly },
    });
    return { gameId: this.gameId, samples, statistics };
  }
}
