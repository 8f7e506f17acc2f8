import { ClockError, EnvError, IllegalActionError, NotationError } from '../errors.js';
import type { Action, Game, Player } from '../game.js';
import type { Rng } from '../random.js';
import { createRng } from '../random.js';
import { explainIllegal, firstState, parseMoves } from '../replay/replay.js';
import { expectResetOptions, type Info, type Observation, type ResetOptions } from './environment.js';
import { keptObservation } from './observations/kept-observation.js';
import type { ObservedPosition } from './observations/observed-position.js';
import { sharedObservation } from './observations/shared-observation.js';
import { describeValue } from '../text/described-value.js';

/** Options of an episode. */
export interface EpisodeOptions {
  /** The ply at which an episode is truncated, 1 or more. Defaults to the game's. */
  readonly plyLimit?: number | undefined;
  /**
   * Whether observations, masks and lists of legal actions are new arrays, owned by the caller. Defaults to
   * true. If false, the environment owns them: they are valid until the next step and read-only.
   */
  readonly copy?: boolean | undefined;
}

/** The start and the actions of an episode, from which its state follows. */
export interface EpisodeRecord {
  /** The text of the first position; null for the game's initial one. */
  readonly start: string | null;
  /** The actions since the start. */
  readonly actions: readonly Action[];
  /** Seconds spent before each action, with one more entry if time ran out; empty in games without clocks. */
  readonly seconds: readonly number[];
}

/** The seed of streams that have not been seeded. */
const DEFAULT_SEED = 0;
const EMPTY = new Int32Array(0);
/** Undoing more moves (0.15 µs each) is slower than creating a new state of Gess (3 µs). */
const MAX_UNDONE = 16;

/** A game in progress and its players' views, shared by environments of one and of two agents. */
export class Episode<State> implements ObservedPosition<State> {
  readonly game: Game<State>;
  /** The ply at which the episode is truncated. */
  readonly plyLimit: number;
  /** The random stream of the environment; the game itself draws no random numbers. */
  rng: Rng = createRng(DEFAULT_SEED, 'environment');
  private current: State;
  private positions = 0;
  private start: string | null = null;
  private seconds: number[] = [];
  private readonly copy: boolean;
  private readonly legal: Int32Array;
  /** Views of `legal` by length, cached so that steps allocate none. */
  private readonly legalViews: Int32Array[] = [];
  private legalVersion = -1;
  private legalCount = 0;
  private readonly shared: [Observation | null, Observation | null] = [null, null];
  private isClosed = false;

  constructor(game: Game<State>, { plyLimit, copy }: EpisodeOptions = {}) {
    this.game = game;
    this.plyLimit = plyLimit ?? game.plyLimit;
    this.copy = copy ?? true;
    this.current = game.initialState();
    this.legal = new Int32Array(game.maxLegalActions);
  }

  /** The game's state, read-only. A reset may replace the object. */
  get state(): State {
    return this.current;
  }

  /** A different number for every position. */
  get version(): number {
    return this.positions;
  }

  /** The player to move; after the end, the player who would move next. */
  get player(): Player {
    return this.game.currentPlayer(this.current);
  }

  /** Whether the game has ended by its rules. */
  get terminated(): boolean {
    return this.game.outcome(this.current) !== null;
  }

  /** Whether the episode was cut off at the ply limit; false if it ended there by the rules. */
  get truncated(): boolean {
    return !this.terminated && this.game.ply(this.current) >= this.plyLimit;
  }

  /** 1 for the winner, -1 for the loser, else 0. */
  rewardOf(player: Player): number {
    const outcome = this.game.outcome(this.current) ?? 0;
    // Not -outcome, which would be -0 for a draw.
    return player === 0 ? outcome : 0 - outcome;
  }

  /**
   * Starts a new episode.
   *
   * @throws NotationError, IllegalActionError for an invalid position or moves; EnvError `reset-options`, `seed-range`,
   * `env-closed`. The episode is unchanged.
   */
  reset(options: ResetOptions = {}): void {
    this.assertOpen();
    expectResetOptions(options);
    const { seed, position, moves } = options;
    if (position === undefined && moves === undefined && this.canGoBack()) {
      if (seed !== undefined) this.rng = createSeededRng(seed);
      this.goBack();
      return;
    }
    const { game } = this;
    const state = firstState(game, position);
    const actions = moves === undefined ? [] : parseMoves(game, moves);
    for (const [index, action] of actions.entries()) {
      if (!game.isLegal(state, action)) {
        const why = explainIllegal(game, state, action);
        throw new IllegalActionError('illegal-action', `expected legal moves; move ${index + 1}: ${why}`);
      }
      game.apply(state, action);
    }
    if (seed !== undefined) this.rng = createSeededRng(seed);
    this.become(state, {
      start: position ?? null,
      actions,
      seconds: game.spendTime ? actions.map(() => 0) : [],
    });
  }

  /**
   * Takes the seconds off the clock of the player to move and plays the action. A player whose clock runs out
   * loses, and the action is not played. An illegal action takes no time.
   *
   * @throws IllegalActionError `illegal-action`; ClockError `no-clock`, `seconds-range`; the episode is
   * unchanged.
   */
  play(action: Action | null, seconds?: number): void {
    const { game, current } = this;
    if (seconds !== undefined) this.checkSeconds(seconds);
    if (action === null || !game.isLegal(current, action)) {
      throw new IllegalActionError('illegal-action', this.describeIllegal(action));
    }
    this.positions += 1;
    if (game.spendTime !== undefined) {
      this.seconds.push(seconds ?? 0);
      game.spendTime(current, seconds ?? 0);
      if (game.outcome(current) !== null) return;
    }
    game.apply(current, action);
  }

  /** The legal actions of `player`, ascending; empty if the player is not to move or the episode is over. */
  legalActions(player: Player): Int32Array {
    if (player !== this.player) return EMPTY;
    if (this.legalVersion !== this.positions) {
      this.legalCount = this.truncated ? 0 : this.game.legalActions(this.current, this.legal);
      this.legalVersion = this.positions;
    }
    return (this.legalViews[this.legalCount] ??= this.legal.subarray(0, this.legalCount));
  }

  /** The current observation of `player`. */
  observe(player: Player): Observation {
    if (this.copy) return keptObservation(this, player);
    return (this.shared[player] ??= sharedObservation(this, player));
  }

  /**
   * A separate episode at the position after the first `plies` moves of `state`, a state of this episode,
   * which is unchanged.
   */
  rewound(state: State, plies: number): Episode<State> {
    const { game, plyLimit } = this;
    const past = new Episode(game, { plyLimit });
    past.current = game.clone(state);
    while (game.historyLength(past.current) > plies) game.undo(past.current);
    return past;
  }

  /** The current info of `player`. */
  infoOf(player: Player): Info {
    const legal = this.legalActions(player);
    return { legalActions: this.copy ? legal.slice() : legal, ply: this.game.ply(this.current) };
  }

  /** The record from which `stateOf` rebuilds this state. */
  record(): EpisodeRecord {
    const { game, current, start } = this;
    const actions = Array.from({ length: game.historyLength(current) }, (_, index) =>
      game.historyAction(current, index),
    );
    return { start, actions, seconds: [...this.seconds] };
  }

  /**
   * The state that a record leads to; the episode is unchanged.
   *
   * @throws EnvError `state-mismatch` for an impossible record of this game.
   */
  stateOf({ start, actions, seconds }: EpisodeRecord): State {
    const { game } = this;
    const state = this.stateAtStart(start);
    const extra = seconds.length - actions.length;
    if (game.spendTime === undefined ? seconds.length > 0 : extra !== 0 && extra !== 1) {
      const found = `${seconds.length} for ${actions.length} actions`;
      throw mismatch(`expected the seconds of each action in games with clocks, got ${found}`);
    }
    for (const [index, action] of actions.entries()) {
      game.spendTime?.(state, seconds[index]!);
      if (!game.isLegal(state, action)) {
        throw mismatch(`expected legal actions, got ${action} at index ${index}`);
      }
      game.apply(state, action);
    }
    if (extra === 1 && game.outcome(state) === null) game.spendTime?.(state, seconds.at(-1)!);
    return state;
  }

  /** Continues from a state that `stateOf` rebuilt from a record. */
  become(state: State, { start, seconds }: EpisodeRecord): void {
    this.current = state;
    this.start = start;
    this.seconds = [...seconds];
    this.positions += 1;
  }

  /** Ends the use of the environment. */
  close(): void {
    this.isClosed = true;
  }

  /** @throws EnvError `env-closed` after `close`. */
  assertOpen(): void {
    if (this.isClosed) throw new EnvError('env-closed', 'expected no call after close');
  }

  /**
   * Refuses a call that needs an episode.
   *
   * @throws EnvError `env-closed` after `close`, else `reset-needed`.
   */
  refuseBeforeReset(member: string): never {
    this.assertOpen();
    throw new EnvError('reset-needed', `expected reset before ${member}`);
  }

  /** Whether undoing all moves returns to the initial position, faster than creating a new one. */
  private canGoBack(): boolean {
    // Observations that have not been read need the state of their episode.
    if (this.copy) return false;
    const { game, current, start } = this;
    return start === null && !game.spendTime && game.historyLength(current) <= MAX_UNDONE;
  }

  private goBack(): void {
    const { game, current } = this;
    while (game.historyLength(current) > 0) game.undo(current);
    this.positions += 1;
  }

  private stateAtStart(start: string | null): State {
    if (start === null) return this.game.initialState();
    try {
      return this.game.parsePosition(start);
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      throw mismatch(`expected the text of a position: ${error.message}`, { cause: error });
    }
  }

  private checkSeconds(seconds: number): void {
    if (this.game.spendTime === undefined) {
      throw new ClockError('no-clock', `expected no seconds: ${this.game.id} has no clock with these rules`);
    }
    if (!Number.isFinite(seconds) || seconds < 0) {
      throw new ClockError('seconds-range', `expected seconds, 0 or more, got ${seconds}`);
    }
  }

  private describeIllegal(action: Action | null): string {
    const isNumbered = Number.isInteger(action) && action! >= 0 && action! < this.game.numActions;
    if (!isNumbered)
      return `expected an action 0 to ${this.game.numActions - 1}, got ${describeValue(action)}`;
    return `expected a legal action, got ${action}: ${explainIllegal(this.game, this.current, action!)}`;
  }
}

function mismatch(message: string, options?: ErrorOptions): EnvError {
  return new EnvError('state-mismatch', message, options);
}

function createSeededRng(seed: number): Rng {
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new EnvError('seed-range', `expected a seed of 0 to 2^53 - 1, got ${describeValue(seed)}`);
  }
  return createRng(seed, 'environment');
}
