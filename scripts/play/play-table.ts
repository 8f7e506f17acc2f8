import type { Thought } from '../../agents/thinking/thinking.js';
import type { GameRecord } from '../../data/records/record.js';
import { CodedError } from '../../env/errors.js';
import type { Action, Game } from '../../env/game.js';
import { loadedGameModules } from '../../training/games/game-module.js';
import { PlayError } from './play-error.js';
import type { PlaySession } from './play-session.js';
import { PLAY_EVENT, type SavedGame } from './saved-game.js';
import { ThreadThinker } from '../engine/thread-thinker.js';

/** Search time of a hint. */
const HINT_MS = 1000;

/** The name of a person in records. */
export const PERSON = 'person';

/** A running search: the opponent's, one for a hint, or an analysis. */
export interface Thinking {
  readonly purpose: 'opponent' | 'hint' | 'analysis';
  readonly startMs: number;
  /** The newest thought. */
  readonly thought?: Thought | undefined;
}

/** Shows a table to people. */
export interface TableView {
  /** Something has changed: moves, the chosen piece, a thought. */
  update(): void;
  /** Answers a command by lines of text. */
  tell(lines: readonly string[]): void;
}

/** Options of a table. */
export interface TableOptions {
  readonly session: PlaySession;
  readonly saved: SavedGame;
  /** Facts for the record, such as its date. */
  readonly facts: Partial<GameRecord>;
  /** The opponent's text. */
  readonly opponent: string;
  /** The text of the agent behind hints and analyses. */
  readonly adviser: string;
  readonly seed: number;
  /** Time limit of an analysis; undefined: it runs until it is stopped. */
  readonly analysisMs: number | undefined;
}

/** The facts of a game that begins now. */
export function factsOfToday(): Partial<GameRecord> {
  return { date: new Date().toISOString().slice(0, 10) };
}

/** A game with the agents that play it and comment on it, its file, and its view. */
export class PlayTable {
  session: PlaySession;
  view: TableView = { update: () => undefined, tell: () => undefined };
  thinking: Thinking | undefined;
  /** The last analysis or hint of this position. */
  advice: Thought | undefined;
  /** The square of the chosen piece. */
  chosen: string | undefined;
  /** Whether a move is being written to the file. It is shown afterwards, so that no shown move is lost. */
  isSaving = false;
  readonly options: TableOptions;
  private facts: Partial<GameRecord>;
  private saved: SavedGame;
  private opponentAgent: string;
  private opponent: ThreadThinker | undefined;
  private adviser: ThreadThinker | undefined;
  private hasClosed = false;

  constructor(options: TableOptions) {
    this.options = options;
    this.session = options.session;
    this.facts = options.facts;
    this.saved = options.saved;
    this.opponentAgent = options.opponent;
  }

  get game(): Game<unknown> {
    return this.session.game;
  }

  /** The text of the opponent. */
  get opponentText(): string {
    return this.opponentAgent;
  }

  /**
   * The file that has the game; undefined before the first save. If the last save failed, the game is saved again.
   *
   * @throws as `SavedGame.save`.
   */
  async savedFile(): Promise<string | undefined> {
    if (this.saved.failure !== undefined) await this.saved.save(this.record);
    return this.saved.file;
  }

  /** Lets other processes save to the game's file. */
  releaseFile(): void {
    this.saved.release();
  }

  /** The names of players 0 and 1 in records. */
  get names(): readonly [string, string] {
    const [first, second] = this.session.seats;
    const nameOf = (seat: string): string => (seat === 'person' ? PERSON : this.opponentAgent);
    return [nameOf(first), nameOf(second)];
  }

  /** The game as a record. */
  get record(): GameRecord {
    return this.session.record({ ...this.facts, event: PLAY_EVENT, players: this.names });
  }

  /**
   * Loads the opponent, if there is one.
   *
   * @throws PlayError `play-agent`.
   */
  async prepare(): Promise<void> {
    if (this.session.isAgainstAgent) await this.seatedOpponent().ready();
  }

  /** Plays a legal move, and the answers of the opponent. */
  async play(action: Action): Promise<void> {
    this.session.play(action);
    await this.changed();
    await this.letAgentMove();
  }

  /** Lets the opponent move until a person is to move. */
  async letAgentMove(): Promise<void> {
    while (this.session.awaitsAgent && this.isOpen()) {
      const thought = await this.think(this.seatedOpponent(), 'opponent', { lines: 1 });
      // Stopped because the program ends: the game is resumed with the opponent to move.
      if (!this.isOpen()) return;
      this.session.play(thought.candidates[0]!.action);
      await this.changed();
    }
  }

  /**
   * Changes the opponent.
   *
   * @throws PlayError `play-agent`; the old opponent then stays.
   */
  async changeOpponent(agent: string): Promise<void> {
    const opponent = this.createThinker(agent);
    try {
      await opponent.ready();
    } catch (error) {
      await opponent.close();
      throw error;
    }
    await this.opponent?.close();
    this.opponent = opponent;
    this.opponentAgent = agent;
  }

  /** Saves the game and shows it, after a change of the moves or the players. */
  async changed(): Promise<void> {
    this.chosen = undefined;
    this.advice = undefined;
    this.isSaving = true;
    try {
      if (this.session.moves.length > 0 || this.saved.isNamed) await this.saved.save(this.record);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      this.view.tell([`the game is not saved: ${error.message} [${String(error.code)}]`]);
    } finally {
      this.isSaving = false;
    }
    this.view.update();
  }

  /** Begins another game, saved to another file. */
  async restart(session: PlaySession, saved: SavedGame): Promise<void> {
    this.saved.release();
    this.session = session;
    this.saved = saved;
    this.facts = factsOfToday();
    this.opponent?.newGame();
    this.adviser?.newGame();
    await this.changed();
  }

  /** Asks the adviser about the position: for a second, or until the end of an analysis. */
  async advise(purpose: 'hint' | 'analysis', lines: number): Promise<Thought> {
    this.adviser ??= this.createThinker(this.options.adviser);
    const timeMs = purpose === 'hint' ? HINT_MS : this.options.analysisMs;
    const limits = timeMs === undefined ? {} : { timeMs };
    this.advice = await this.think(this.adviser, purpose, { lines, limits });
    return this.advice;
  }

  /** Ends the running search, if there is one: the opponent plays the best move it has found. */
  stop(): void {
    if (this.thinking === undefined) return;
    (this.thinking.purpose === 'opponent' ? this.opponent : this.adviser)?.stop();
  }

  /** Stops all searches and ends their threads. */
  async close(): Promise<void> {
    this.hasClosed = true;
    await Promise.all([this.opponent?.close(), this.adviser?.close()]);
  }

  private isOpen(): boolean {
    return !this.hasClosed;
  }

  private seatedOpponent(): ThreadThinker {
    this.opponent ??= this.createThinker(this.opponentAgent);
    return this.opponent;
  }

  private createThinker(agent: string): ThreadThinker {
    const { id, rules } = this.game;
    const { seed } = this.options;
    return new ThreadThinker(
      { game: id, rules, agent, seed, gameModules: loadedGameModules() },
      ({ code, message }) => new PlayError('play-agent', `the agent ${agent} failed: ${message} [${code}]`),
    );
  }

  /** Closes a thinker that failed, whose thread may have ended; the next search gets a new one. */
  private async forget(thinker: ThreadThinker): Promise<void> {
    if (this.opponent === thinker) this.opponent = undefined;
    if (this.adviser === thinker) this.adviser = undefined;
    await thinker.close();
  }

  private async think(
    thinker: ThreadThinker,
    purpose: Thinking['purpose'],
    search: { readonly lines: number; readonly limits?: { readonly timeMs?: number } },
  ): Promise<Thought> {
    const { start, line } = this.session;
    const startMs = performance.now();
    const show = (thought?: Thought): void => {
      this.thinking = { purpose, startMs, thought };
      this.view.update();
    };
    show();
    try {
      return await thinker.think({ position: start, moves: line, limits: undefined, ...search }, show);
    } catch (error) {
      await this.forget(thinker);
      throw error;
    } finally {
      this.thinking = undefined;
    }
  }
}
