import { IllegalActionError } from '../errors.js';
import type { Action } from '../game.js';
import type { Discrete } from '../spaces/discrete.js';
import type { Space } from '../spaces/space.js';
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
 * A game in which one agent plays all sides, as search and self-play see it: what is observed is the view of whoever
 * is to move, whom `info.agent` names, and the reward of a step is that of who took it. So environments of two
 * agents can be wrapped, and put into vectors, as those of one.
 *
 * ```ts
 * const env = make('gess/Quess', { opponent: 'self' });
 * ```
 *
 * Both players' spaces must be equal. A step after the end throws `game-over`; nobody needs to leave.
 */
export class SelfPlayEnv<Seen = Observation> implements Environment<Seen> {
  /** The game as one for agents in turn. */
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
    return { observation, info: this.told(info) };
  }

  step(action: Action, options?: StepOptions): StepResult<Seen> {
    const { env } = this;
    const actor = env.agentSelection;
    // Else null would let the agent leave, as in an environment for agents in turn.
    if (env.terminations[actor] === true || env.truncations[actor] === true) {
      throw new IllegalActionError('game-over', `expected reset: the episode is over, got action ${action}`);
    }
    env.step(action, options);
    const reward = env.rewards[actor] ?? 0;
    const { observation, terminated, truncated, info } = env.last();
    return { observation, reward, terminated, truncated, info: this.told(info) };
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

  private told(info: Info): Info {
    return { ...info, agent: this.env.agentSelection };
  }
}
