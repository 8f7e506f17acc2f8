import { IllegalActionError } from '../errors.js';
import type { Action } from '../game.js';
import type { Discrete } from '../spaces/discrete.js';
import type { Space } from '../spaces/space.js';
import { describeValue } from '../text/described-value.js';
import type { EnvSpec, RenderMode } from './env-spec.js';
import type {
  Environment,
  EnvMetadata,
  EnvState,
  Info,
  Observation,
  ResetOptions,
  ResetResult,
  StepOptions,
  StepResult,
  TurnEnvironment,
} from './environment.js';

/**
 * A game in which one agent plays all sides, as in search and self-play: observations are the view of the
 * player to move, named by `info.agent`, and the reward of a step is that of the player who made it. This
 * lets environments of two agents be wrapped, and put into vectors, like those of one.
 *
 * ```ts
 * const env = make('gess/Quess', { opponent: 'self' });
 * ```
 *
 * Both players' spaces must be equal. A step after the end throws `game-over`; agents do not leave.
 */
export class SelfPlayEnv<Seen = Observation> implements Environment<Seen> {
  /** The wrapped environment for agents in turn. */
  readonly env: TurnEnvironment<Seen>;
  readonly spec: EnvSpec | null;
  readonly metadata: EnvMetadata;
  readonly renderMode: RenderMode | null;
  readonly observationSpace: Space<Seen>;
  readonly actionSpace: Discrete;

  constructor(env: TurnEnvironment<Seen>) {
    const [agent] = env.possibleAgents as [string];
    this.env = env;
    this.spec = env.spec;
    this.metadata = env.metadata;
    this.renderMode = env.renderMode;
    this.observationSpace = env.observationSpace(agent);
    this.actionSpace = env.actionSpace(agent);
  }

  reset(options?: ResetOptions): ResetResult<Seen> {
    this.env.reset(options);
    const { observation, info } = this.env.last();
    return { observation, info: this.withAgent(info) };
  }

  step(action: Action, options?: StepOptions): StepResult<Seen> {
    const { env } = this;
    const actor = env.agentSelection;
    // Otherwise null would let the agent leave the inner environment.
    if (env.terminations[actor] === true || env.truncations[actor] === true) {
      const found = describeValue(action);
      throw new IllegalActionError('game-over', `expected reset: the episode is over, got action ${found}`);
    }
    env.step(action, options);
    const reward = env.rewards[actor] ?? 0;
    const { observation, terminated, truncated, info } = env.last();
    return { observation, reward, terminated, truncated, info: this.withAgent(info) };
  }

  render(): string | null {
    return this.env.render();
  }

  close(): void {
    this.env.close();
  }

  save(): EnvState {
    return this.env.save();
  }

  restore(state: EnvState): void {
    this.env.restore(state);
  }

  private withAgent(info: Info): Info {
    // A spread with a further field takes V8 nine times as long.
    return Object.assign({}, info, { agent: this.env.agentSelection });
  }
}
