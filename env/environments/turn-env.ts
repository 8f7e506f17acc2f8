import * as z from 'zod';
import { EnvError, IllegalActionError } from '../errors.js';
import type { Action, Game, Player } from '../game.js';
import type { Rng } from '../random.js';
import { restoreRng } from '../random.js';
import type { Discrete } from '../spaces/discrete.js';
import type { Space } from '../spaces/space.js';
import type { EnvSpec, RenderMode } from './env-spec.js';
import {
  type EnvMetadata,
  type EnvState,
  type Info,
  type Observation,
  type ResetOptions,
  secondsOf,
  type StepOptions,
  type Turn,
  type TurnEnvironment,
} from './environment.js';
import { Episode, type EpisodeOptions } from './episode.js';
import { readEpisode, SavedEpisode, saveEpisode } from './saved-episode.js';
import { gameSpaces } from './game-spaces.js';
import { Renderer, type RenderOptions } from './renderer.js';
import { describeValue } from '../text/described-value.js';
import { quote } from '../text/quoted-text.js';

/** Options of an environment of a game. */
export interface TurnEnvOptions extends EpisodeOptions, RenderOptions {
  /** The spec that `make` made it from. */
  readonly spec?: EnvSpec | null | undefined;
}

const TurnEnvState = SavedEpisode.extend({ agents: z.array(z.string()), agentSelection: z.string() });

/**
 * A game for two agents that act in turn.
 *
 * ```ts
 * const env = new TurnEnv(createGame('gess'));
 * const space = env.actionSpace('black');
 * env.reset({ seed: 1 });
 * while (env.agents.length > 0) {
 *   const { info, terminated, truncated } = env.last();
 *   env.step(terminated || truncated ? null : space.sample(env.rng, { legalActions: info.legalActions }));
 * }
 * ```
 *
 * By default returned arrays are new and belong to the caller; planes and masks are created when they are first read.
 * With `copy: false` the environment owns them: they are read-only, filled when read, and always show the current
 * position.
 */
export class TurnEnv<State = unknown> implements TurnEnvironment {
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly renderMode: RenderMode | null;
  readonly game: Game<State>;
  /** The players' names, the first to move first. */
  readonly possibleAgents: readonly [string, string];
  private readonly episode: Episode<State>;
  private readonly renderer: Renderer<State>;
  private readonly observations: Space<Observation>;
  private readonly actions: Discrete;
  private living: readonly Player[] = [];
  private selected: Player = 0;

  /** @throws EnvError `kwargs` for a render mode that the game does not have. */
  constructor(game: Game<State>, options: TurnEnvOptions = {}) {
    this.game = game;
    this.spec = options.spec ?? null;
    this.episode = new Episode(game, options);
    this.renderer = new Renderer(game, options);
    this.renderMode = this.renderer.mode;
    this.metadata = this.renderer.metadata(this.spec);
    this.possibleAgents = game.playerNames;
    const { observationSpace, actionSpace } = gameSpaces(game);
    this.observations = observationSpace;
    this.actions = actionSpace;
  }

  /** The ply at which a game is truncated. */
  get plyLimit(): number {
    return this.episode.plyLimit;
  }

  /** The environment's random stream, for choosing actions, like Gymnasium's `np_random`. Games use none. */
  get rng(): Rng {
    return this.episode.rng;
  }

  get agents(): readonly string[] {
    return this.living.map((player) => this.possibleAgents[player]);
  }

  get agentSelection(): string {
    return this.possibleAgents[this.selected];
  }

  get rewards(): Readonly<Record<string, number>> {
    // Steps by which agents leave have no rewards.
    return this.byAgent((player) => (this.living.length === 2 ? this.episode.rewardOf(player) : 0));
  }

  get cumulativeRewards(): Readonly<Record<string, number>> {
    return this.byAgent((player) => this.episode.rewardOf(player));
  }

  get terminations(): Readonly<Record<string, boolean>> {
    return this.byAgent(() => this.episode.terminated);
  }

  get truncations(): Readonly<Record<string, boolean>> {
    return this.byAgent(() => this.episode.truncated);
  }

  get infos(): Readonly<Record<string, Info>> {
    return this.byAgent((player) => this.episode.infoOf(player));
  }

  /** @throws EnvError `agent-unknown`. */
  observationSpace(agent: string): Space<Observation> {
    this.playerOf(agent);
    return this.observations;
  }

  /** @throws EnvError `agent-unknown`. */
  actionSpace(agent: string): Discrete {
    this.playerOf(agent);
    return this.actions;
  }

  /**
   * @throws NotationError, IllegalActionError, EnvError `reset-options`, `seed-range`, `env-closed`; the episode is
   * unchanged.
   */
  reset(options: ResetOptions = {}): void {
    this.episode.reset(options);
    this.living = [0, 1];
    this.selected = this.episode.player;
    this.renderer.show(this.episode.state);
  }

  /** @throws EnvError `agent-unknown`, `env-closed`. */
  observe(agent: string): Observation {
    this.episode.assertOpen();
    return this.episode.observe(this.playerOf(agent));
  }

  /** @throws EnvError `reset-needed` before the first reset, and after all agents have left; `env-closed`. */
  last(): Turn {
    const { episode, selected } = this;
    if (this.living.length === 0) episode.refuseBeforeReset('last');
    return {
      observation: episode.observe(selected),
      // Rewards come only at the end, so the reward since the last action is the result.
      reward: episode.rewardOf(selected),
      terminated: episode.terminated,
      truncated: episode.truncated,
      info: episode.infoOf(selected),
    };
  }

  /**
   * Plays an action of the selected agent; `null` lets it leave a game that is over. `seconds` are first
   * taken off the agent's clock: an agent whose clock runs out loses, its action is not played, and the turn
   * stays with it. Illegal actions and leaving take no time.
   *
   * @throws EnvError `reset-needed` before the first reset, and after all agents have left; `env-closed`,
   * `step-options`.
   * @throws IllegalActionError `illegal-action`, `game-over`; the environment is unchanged.
   * @throws ClockError `no-clock`, `seconds-range`; the environment is unchanged.
   */
  step(action: Action | null, options?: StepOptions): void {
    const { episode } = this;
    if (this.living.length === 0) episode.refuseBeforeReset('step');
    const seconds = secondsOf(options);
    if (episode.terminated || episode.truncated) {
      this.leave(action);
      return;
    }
    episode.play(action, seconds);
    this.selected = episode.player;
    this.renderer.show(episode.state);
  }

  render(): string | null {
    this.episode.assertOpen();
    return this.renderer.render(this.episode.state);
  }

  close(): void {
    this.episode.close();
    this.living = [];
  }

  /** A copy of the game's state, history included. */
  cloneState(): State {
    return this.game.clone(this.episode.state);
  }

  save(): EnvState {
    this.episode.assertOpen();
    return {
      ...saveEpisode(this.episode),
      agents: this.agents,
      agentSelection: this.agentSelection,
    };
  }

  restore(saved: EnvState): void {
    this.episode.assertOpen();
    const { agents, agentSelection, ...rest } = readEpisode(TurnEnvState, this.episode, saved);
    const state = this.episode.stateOf(rest);
    const living = ([0, 1] as const).filter((player) => agents.includes(this.possibleAgents[player]));
    const isOver = this.game.outcome(state) !== null || this.game.ply(state) >= this.plyLimit;
    if (living.length !== agents.length || (living.length === 1 && !isOver)) {
      const found = agents.join(', ') || 'none';
      throw new EnvError('state-mismatch', `expected agents who have not left the episode, got ${found}`);
    }
    const named = this.possibleAgents.indexOf(agentSelection) as Player | -1;
    const selected = living.length === 2 ? this.game.currentPlayer(state) : (living[0] ?? named);
    if (selected === -1 || selected !== named) {
      const expected = selected === -1 ? this.possibleAgents.join(' or ') : this.possibleAgents[selected];
      throw new EnvError(
        'state-mismatch',
        `expected ${expected} to be selected, got ${quote(agentSelection)}`,
      );
    }
    this.episode.become(state, rest);
    this.episode.rng = restoreRng(rest.rng);
    this.living = living;
    this.selected = selected;
  }

  private leave(action: Action | null): void {
    if (action !== null) {
      const found = describeValue(action);
      throw new IllegalActionError('game-over', `expected null: the game is over, got action ${found}`);
    }
    this.living = this.living.filter((player) => player !== this.selected);
    this.selected = this.living[0] ?? this.selected;
  }

  private byAgent<Value>(valueOf: (player: Player) => Value): Readonly<Record<string, Value>> {
    const values: Record<string, Value> = {};
    for (const player of this.living) values[this.possibleAgents[player]] = valueOf(player);
    return values;
  }

  private playerOf(agent: string): Player {
    const player = this.possibleAgents.indexOf(agent);
    if (player === -1) {
      const expected = this.possibleAgents.join(' or ');
      throw new EnvError('agent-unknown', `expected an agent ${expected}, got ${describeValue(agent)}`);
    }
    return player === 0 ? 0 : 1;
  }
}
