import { ClockError, IllegalActionError } from './errors.js';
import type { Action, Game, Player } from './game.js';
import type { Rng } from './random.js';
import { createRng } from './random.js';
import { explainIllegal } from './replay.js';

/** What one agent sees. The arrays are new and the caller's. `R`, `C`, `P` are rows, columns and planes. */
export interface TurnObservation {
  /** `[R, C, P]`, planes fastest, 0..1, from this agent's view. */
  readonly observation: Float32Array;
  /** `[numActions]` 1 where the action is legal; all 0 for an agent that is not to move. */
  readonly actionMask: Uint8Array;
}

/** What is told of an agent besides its observation. */
export interface TurnInfo {
  /** Legal actions, ascending; none for an agent that is not to move. New, the caller's. */
  readonly legalActions: Int32Array;
  readonly ply: number;
}

/** What the agent whose turn it is learns before it acts. */
export interface Turn {
  readonly observation: TurnObservation;
  /** What it got since it last acted: 1 for a win, -1 for a loss, else 0. */
  readonly reward: number;
  /** Whether the game has ended by its rules. */
  readonly terminated: boolean;
  /** Whether it was cut off at the ply limit. */
  readonly truncated: boolean;
  readonly info: TurnInfo;
}

/** How an episode starts. */
export interface TurnReset {
  /** Restarts the environment's random stream: an integer in `[0, 2^53)`. Left out, the stream goes on. */
  readonly seed?: number | undefined;
  /** The text of the first position; left out, the game's initial one. */
  readonly position?: string | undefined;
}

/** What a step may tell besides its action. */
export interface TurnStep {
  /** What the action took off the agent's clock, 0 or more, where the game has clocks; left out, nothing. */
  readonly seconds?: number | undefined;
}

/**
 * A game for two learners, agent by agent, as PettingZoo's AEC environments are: `last` tells the agent whose
 * turn it is what it sees and got, `step` plays its action. When the game has ended, each agent in turn is
 * told so by `last` and leaves by `step(null)`, until `agents` is empty.
 *
 * ```ts
 * env.reset({ seed: 1 });
 * while (env.agents.length > 0) {
 *   const { info, terminated, truncated } = env.last();
 *   env.step(terminated || truncated ? null : info.legalActions[env.rng.integer(info.legalActions.length)]!);
 * }
 * ```
 *
 * Games have no chance, so a seed changes only `rng`. `reset` must come first.
 *
 * @see Terry et al. 2021, "PettingZoo: Gym for Multi-Agent Reinforcement Learning".
 */
export class TurnEnv<State> {
  readonly game: Game<State>;
  /** The ply at which a game is truncated. */
  readonly plyLimit: number;
  /** The players' names, the first to move first. */
  readonly possibleAgents: readonly [string, string];
  /** For choosing among legal actions. */
  rng: Rng = createRng(0, 'turnEnv');
  private state: State;
  private living: Player[] = [];
  private selected: Player = 0;
  private readonly rewardOf = [0, 0];
  private readonly collected = [0, 0];
  private readonly legal: Int32Array;

  constructor(game: Game<State>, options: { readonly plyLimit?: number } = {}) {
    this.game = game;
    this.plyLimit = options.plyLimit ?? game.plyLimit;
    this.possibleAgents = game.playerNames;
    this.state = game.initialState();
    this.legal = new Int32Array(game.maxLegalActions);
  }

  /** Agents that have not left, the first to move first. */
  get agents(): readonly string[] {
    return this.living.map((player) => this.possibleAgents[player]);
  }

  /** The agent whose turn it is, or was when the last one left. */
  get agentSelection(): string {
    return this.possibleAgents[this.selected];
  }

  /** Whether the game has ended by its rules. */
  get terminated(): boolean {
    return this.game.outcome(this.state) !== null;
  }

  /** Whether the game was cut off at the ply limit; one that ended there by its rules was not. */
  get truncated(): boolean {
    return !this.terminated && this.game.ply(this.state) >= this.plyLimit;
  }

  /** What each agent got by the last step. */
  get rewards(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.possibleAgents.map((name, player) => [name, this.rewardOf[player]!]));
  }

  /**
   * Starts an episode.
   *
   * @throws NotationError for a position that cannot be read; the episode is as it was.
   */
  reset({ seed, position }: TurnReset = {}): void {
    this.state = position === undefined ? this.game.initialState() : this.game.parsePosition(position);
    if (seed !== undefined) this.rng = createRng(seed, 'turnEnv');
    this.living = [0, 1];
    this.selected = this.game.currentPlayer(this.state);
    this.collected.fill(0);
    this.collectRewards();
  }

  /** What `agent` sees now; the same whether it is to move or not, but for the mask. */
  observe(agent: string): TurnObservation {
    return this.observePlayer(this.playerOf(agent), this.countLegal());
  }

  /** What the selected agent sees, what it got since it last acted, and whether the game is over. */
  last(): Turn {
    const count = this.countLegal();
    return {
      observation: this.observePlayer(this.selected, count),
      reward: this.collected[this.selected]!,
      terminated: this.terminated,
      truncated: this.truncated,
      info: { legalActions: this.legal.slice(0, count), ply: this.game.ply(this.state) },
    };
  }

  /**
   * Plays an action of the selected agent; `null` is how an agent leaves a game that is over. The `seconds` it
   * took are taken off the agent's clock first: an agent that has none left loses, its action is not played,
   * and the turn stays with it. An illegal action takes no time; one who leaves takes none either.
   *
   * @throws IllegalActionError `illegal-action`, `game-over`; nothing has changed.
   * @throws ClockError `no-clock`, `seconds-range`; nothing has changed.
   */
  step(action: Action | null, { seconds }: TurnStep = {}): void {
    if (this.living.length === 0) {
      throw new IllegalActionError('game-over', 'expected reset before a step: no agent is left');
    }
    if (seconds !== undefined) this.checkSeconds(seconds);
    if (this.terminated || this.truncated) this.leave(action);
    else this.play(action, seconds ?? 0);
  }

  /** The board for a terminal. */
  render(): string {
    return this.game.render(this.state);
  }

  /** A copy of the state, history included. */
  cloneState(): State {
    return this.game.clone(this.state);
  }

  private checkSeconds(seconds: number): void {
    if (this.game.spendTime === undefined) {
      throw new ClockError('no-clock', `expected no seconds: ${this.game.id} has no clock by these rules`);
    }
    if (!Number.isFinite(seconds) || seconds < 0) {
      throw new ClockError('seconds-range', `expected seconds, 0 or more, got ${seconds}`);
    }
  }

  private play(action: Action | null, seconds: number): void {
    const { game, state } = this;
    if (action === null || !game.isLegal(state, action)) {
      throw new IllegalActionError('illegal-action', this.describeIllegal(action));
    }
    this.collected[this.selected] = 0;
    game.spendTime?.(state, seconds);
    if (game.outcome(state) === null) game.apply(state, action);
    this.selected = game.currentPlayer(state);
    this.collectRewards();
  }

  private leave(action: Action | null): void {
    if (action !== null) {
      throw new IllegalActionError('game-over', `expected null: the game is over, got action ${action}`);
    }
    this.collected[this.selected] = 0;
    this.rewardOf.fill(0);
    this.living = this.living.filter((player) => player !== this.selected);
    this.selected = this.living[0] ?? this.selected;
  }

  private describeIllegal(action: Action | null): string {
    const isNumbered = Number.isInteger(action) && action! >= 0 && action! < this.game.numActions;
    if (!isNumbered) return `expected an action 0 to ${this.game.numActions - 1}, got ${action}`;
    return `expected a legal action, got ${action}: ${explainIllegal(this.game, this.state, action!)}`;
  }

  private collectRewards(): void {
    const outcome = this.game.outcome(this.state) ?? 0;
    // Not -outcome, which is -0 for a draw.
    this.rewardOf[0] = outcome;
    this.rewardOf[1] = 0 - outcome;
    this.collected[0]! += outcome;
    this.collected[1]! += 0 - outcome;
  }

  /** Fills `legal`, unless the game is truncated. */
  private countLegal(): number {
    return this.truncated ? 0 : this.game.legalActions(this.state, this.legal);
  }

  private observePlayer(player: Player, legalCount: number): TurnObservation {
    const [rows, columns, planes] = this.game.observationShape;
    const observation = new Float32Array(rows * columns * planes);
    this.game.observe(this.state, observation, 0, player);
    const actionMask = new Uint8Array(this.game.numActions);
    if (player === this.game.currentPlayer(this.state)) {
      for (let i = 0; i < legalCount; i++) actionMask[this.legal[i]!] = 1;
    }
    return { observation, actionMask };
  }

  private playerOf(agent: string): Player {
    const player = this.possibleAgents.indexOf(agent);
    if (player === -1) {
      throw new RangeError(`expected an agent ${this.possibleAgents.join(' or ')}, got '${agent}'`);
    }
    return player === 0 ? 0 : 1;
  }
}
