import type { GameRecord, RecordMove } from '../../data/records/record.js';
import { type Action, type Game, opponentOf, type Player } from '../../env/game.js';
import { firstState, nameOutcome } from '../../env/replay/replay.js';

/** The person or agent that moves for a player. */
export type Seat = 'person' | 'agent';

/** An end of a game that the rules did not bring about. */
export type Agreement = { readonly kind: 'resigned'; readonly by: Player } | { readonly kind: 'draw' };

/** The origin of a session. */
export interface SessionOptions {
  readonly seats: readonly [Seat, Seat];
  /** A canonical position; undefined for the game's first one. */
  readonly start?: string | undefined;
}

/**
 * A game in progress: the moves with everything that a record keeps about them, the seats, and an end by agreement.
 * Independent of terminals and files.
 */
export class PlaySession {
  readonly game: Game<unknown>;
  readonly start: string | undefined;
  /** The current position, its moves as its history. Callers must not change it. */
  readonly state: unknown;
  seats: readonly [Seat, Seat];
  private readonly played: RecordMove[] = [];
  /** Moves that were taken back, the newest first. */
  private undone: RecordMove[] = [];
  private agreement: Agreement | undefined;

  /** @throws NotationError `position-*`. */
  constructor(game: Game<unknown>, { seats, start }: SessionOptions) {
    this.game = game;
    this.start = start;
    this.seats = seats;
    this.state = firstState(game, start);
  }

  /** The moves so far. */
  get moves(): readonly RecordMove[] {
    return this.played;
  }

  /** The texts of the moves, for a search. */
  get line(): string {
    return this.played.map(({ move }) => move).join(' ');
  }

  get player(): Player {
    return this.game.currentPlayer(this.state);
  }

  /** Whether one player is a person and the other an agent. */
  get isAgainstAgent(): boolean {
    return this.seats[0] !== this.seats[1];
  }

  /** Whether an agent is to move. */
  get awaitsAgent(): boolean {
    return !this.isOver && this.seats[this.player] === 'agent';
  }

  get isOver(): boolean {
    return this.agreement !== undefined || this.game.countLegalActions(this.state) === 0;
  }

  /** The end by resignation or agreement; undefined for other games. */
  get agreed(): Agreement | undefined {
    return this.agreement;
  }

  /** `black`, `black+R` if White resigned, `draw`; null for a game in progress. */
  get result(): string | null {
    const { agreement } = this;
    if (agreement === undefined) return nameOutcome(this.game, this.state);
    return agreement.kind === 'draw' ? 'draw' : `${this.game.playerNames[opponentOf(agreement.by)]}+R`;
  }

  /**
   * Plays a legal move.
   *
   * @param note further facts about the move for the record; `seconds` are deducted from the player's clock in games
   *   with clocks.
   */
  play(action: Action, note: RecordMove = {}): void {
    const { game, state } = this;
    if (note.seconds !== undefined) game.spendTime?.(state, note.seconds);
    game.apply(state, action);
    this.played.push({ ...note, move: game.formatAction(action) });
    this.undone = [];
  }

  /**
   * Takes moves back until a person is to move: one move between people, a pair against an agent. An end by agreement
   * is taken back alone.
   *
   * @returns the number of moves; 0 if there is nothing to take back.
   */
  undo(): number {
    if (this.agreement !== undefined) {
      this.agreement = undefined;
      return 0;
    }
    const count = this.pliesToUndo();
    for (let i = 0; i < count; i++) {
      this.game.undo(this.state);
      this.undone.unshift(this.played.pop()!);
    }
    return count;
  }

  /**
   * Plays again what `undo` took back, until a person is to move.
   *
   * @returns the number of moves.
   */
  redo(): number {
    const { undone } = this;
    let count = 0;
    do {
      const next = undone[count];
      if (next?.move === undefined) break;
      this.play(this.game.parseAction(next.move), next);
      count += 1;
    } while (this.awaitsAgent);
    this.undone = undone.slice(count);
    return count;
  }

  /** Ends the game by resignation or agreement. */
  agree(agreement: Agreement): void {
    this.agreement = agreement;
  }

  /** The game as a record, players and other facts taken from `facts`. */
  record(facts: Partial<GameRecord> = {}): GameRecord {
    const { game, start, result } = this;
    return {
      ...facts,
      game: game.id,
      rules: game.rules,
      ...(start !== undefined && { position: start }),
      ...(result !== null && { result }),
      moves: this.played,
    };
  }

  /** The fewest moves to take back so that a person is to move; 0 if there are none. */
  private pliesToUndo(): number {
    const { game } = this;
    const state = game.clone(this.state);
    for (let count = 1; count <= this.played.length; count++) {
      game.undo(state);
      if (this.seats[game.currentPlayer(state)] === 'person') return count;
    }
    return 0;
  }
}
