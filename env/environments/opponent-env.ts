import * as z from 'zod';
import { EnvError, IllegalActionError } from '../errors.js';
import { type Action, type Game, opponentOf, type Player } from '../game.js';
import type { Rng } from '../random.js';
import { createRng, restoreRng } from '../random.js';
import type { Discrete } from '../spaces/discrete.js';
import { RngState } from '../spaces/rng-state.js';
import type { Space } from '../spaces/space.js';
import type { EnvSpec, RenderMode } from './env-spec.js';
import {
  type Environment,
  type EnvMetadata,
  type EnvState,
  type Info,
  type Observation,
  type ResetOptions,
  type ResetResult,
  secondsOf,
  type StepOptions,
  type StepResult,
} from './environment.js';
import { Episode } from './episode.js';
import { gameSpaces } from './game-spaces.js';
import { expectOpponent, type Opponent } from './opponent.js';
import { Renderer } from './renderer.js';
import { readEpisode, SavedEpisode, saveEpisode } from './saved-episode.js';
import type { TurnEnvOptions } from './turn-env.js';
import { describeValue } from '../text/described-value.js';
import { quote } from '../text/quoted-text.js';

/** The agent's side: the first or second to move, or a random one for every episode. */
export type Side = 'first' | 'second' | 'random';

/** Options of an environment against an opponent. */
export interface OpponentEnvOptions extends TurnEnvOptions {
  /** Defaults to `random`. */
  readonly side?: Side | undefined;
}

/** Maximum number of restarts of an episode that the opponent's first move ends. */
const MOST_BEGINNINGS = 100;

const SavedOpponentEpisode = SavedEpisode.extend({
  agent: z.string(),
  isBegun: z.boolean(),
  opponentRng: RngState,
});

/**
 * A game for one agent, against an opponent that is part of the environment: `step` plays the agent's action
 * and then the opponent's. Rewards are the agent's: 1 for a win, -1 for a loss, else 0. `info.agent` names
 * its side.
 *
 * ```ts
 * const env = new OpponentEnv(game, randomOpponent(game), { side: 'first' });
 * let { info } = env.reset({ seed: 1 });
 * for (;;) {
 *   const turn = env.step(choose(info.legalActions));
 *   if (turn.terminated || turn.truncated) break;
 *   info = turn.info;
 * }
 * ```
 *
 * An episode that the opponent's first move ends is restarted, as the agent would have no part in it. One
 * that starts from a finished game has no legal actions.
 */
export class OpponentEnv<State = unknown> implements Environment {
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly renderMode: RenderMode | null;
  readonly observationSpace: Space<Observation>;
  readonly actionSpace: Discrete;
  readonly game: Game<State>;
  /** The player of the other side. */
  readonly opponent: Opponent<State>;
  private readonly episode: Episode<State>;
  private readonly renderer: Renderer<State>;
  private readonly side: Side;
  /** A separate stream, so that the opponent's random numbers and the random sides are independent. */
  private opponentRng: Rng = createRng(0, 'opponent');
  private agent: Player = 0;
  private isBegun = false;

  /** @throws EnvError `kwargs` for a render mode that the game does not have; `opponent` for what is none. */
  constructor(game: Game<State>, opponent: Opponent<State>, options: OpponentEnvOptions = {}) {
    expectOpponent(opponent);
    this.game = game;
    this.opponent = opponent;
    this.spec = options.spec ?? null;
    this.side = options.side ?? 'random';
    this.episode = new Episode(game, options);
    this.renderer = new Renderer(game, options);
    this.renderMode = this.renderer.mode;
    this.metadata = this.renderer.metadata(this.spec);
    const { observationSpace, actionSpace } = gameSpaces(game);
    this.observationSpace = observationSpace;
    this.actionSpace = actionSpace;
  }

  /** The ply at which a game is truncated. */
  get plyLimit(): number {
    return this.episode.plyLimit;
  }

  /**
   * @throws NotationError, IllegalActionError, EnvError `reset-options`, `seed-range`, `env-closed`; the episode is
   * unchanged.
   */
  reset(options: ResetOptions = {}): ResetResult {
    this.episode.reset(options);
    if (options.seed !== undefined) this.opponentRng = createRng(options.seed, 'opponent');
    this.isBegun = true;
    let isPlayable = this.begin();
    for (let beginnings = 1; !isPlayable && beginnings < MOST_BEGINNINGS; beginnings++) {
      this.episode.reset({ ...options, seed: undefined });
      isPlayable = this.begin();
    }
    this.renderer.show(this.episode.state);
    return { observation: this.episode.observe(this.agent), info: this.info() };
  }

  /**
   * Plays the agent's action, which took `seconds`, and then the opponent's.
   *
   * @throws EnvError `reset-needed`, `env-closed`, `step-options`; IllegalActionError `illegal-action`, `game-over`;
   * ClockError `no-clock`, `seconds-range`; the environment is unchanged.
   * @throws EnvError `opponent` if the opponent chose an illegal action; the episode cannot continue.
   */
  step(action: Action, options?: StepOptions): StepResult {
    const { episode, agent } = this;
    if (!this.isBegun) episode.refuseBeforeReset('step');
    const seconds = secondsOf(options);
    if (this.isOver) throw new IllegalActionError('game-over', 'expected reset: the episode is over');
    episode.play(action, seconds);
    this.playOpponent();
    this.renderer.show(episode.state);
    return {
      observation: episode.observe(agent),
      reward: episode.rewardOf(agent),
      terminated: episode.terminated,
      truncated: episode.truncated,
      info: this.info(),
    };
  }

  render(): string | null {
    this.episode.assertOpen();
    return this.renderer.render(this.episode.state);
  }

  close(): void {
    this.episode.close();
    this.isBegun = false;
  }

  save(): EnvState {
    this.episode.assertOpen();
    return {
      ...saveEpisode(this.episode),
      agent: this.game.playerNames[this.agent],
      isBegun: this.isBegun,
      opponentRng: [...this.opponentRng.state()],
    };
  }

  restore(saved: EnvState): void {
    this.episode.assertOpen();
    const { agent, isBegun, opponentRng, ...rest } = readEpisode(SavedOpponentEpisode, this.episode, saved);
    const state = this.episode.stateOf(rest);
    const player = this.game.playerNames.indexOf(agent);
    const isTurn = this.game.currentPlayer(state) === player;
    const isOver = this.game.outcome(state) !== null || this.game.ply(state) >= this.plyLimit;
    if (player === -1 || (isBegun && !isOver && !isTurn)) {
      throw new EnvError('state-mismatch', `expected the agent to move, got ${quote(agent)}`);
    }
    this.episode.become(state, rest);
    this.episode.rng = restoreRng(rest.rng);
    this.opponentRng = restoreRng(opponentRng);
    this.agent = player === 0 ? 0 : 1;
    this.isBegun = isBegun;
  }

  private get isOver(): boolean {
    return this.episode.terminated || this.episode.truncated;
  }

  /** Chooses the agent's side and lets the opponent move if it is first; false if that ended the episode. */
  private begin(): boolean {
    if (this.isOver) return true;
    // A position or moves may leave either player to move first.
    const first = this.episode.player;
    const isFirst = this.side === 'random' ? this.episode.rng.integer(2) === 0 : this.side === 'first';
    this.agent = isFirst ? first : opponentOf(first);
    this.playOpponent();
    return !this.isOver;
  }

  private playOpponent(): void {
    const { episode, game, opponent } = this;
    while (!this.isOver && episode.player !== this.agent) {
      const action = opponent.choose(episode.state, this.opponentRng);
      if (!game.isLegal(episode.state, action)) {
        const found = describeValue(action);
        throw new EnvError(
          'opponent',
          `expected a legal action of the opponent ${opponent.name}, got ${found}`,
        );
      }
      episode.play(action);
    }
  }

  private info(): Info {
    // A spread with a further field takes V8 nine times as long.
    return Object.assign({}, this.episode.infoOf(this.agent), { agent: this.game.playerNames[this.agent] });
  }
}
