import * as z from 'zod';
import { EnvError, IllegalActionError } from '../../errors.js';
import type { Action } from '../../game.js';
import { validate } from '../../problems-text.js';
import { describeValue } from '../../text/described-value.js';
import type { EnvSpec, Json, WrapperSpec } from '../env-spec.js';
import type { Environment, EnvState, Info, TurnEnvironment } from '../environment.js';

/** An environment of either kind. */
export type AnyEnvironment<Seen = unknown> = TurnEnvironment<Seen> | Environment<Seen>;

/**
 * A wrapped environment for agents in turn: `env` is the one inside, `Seen` the type of the wrapper's
 * observations.
 */
export type TurnWrapper<Seen, Inner = Seen> = TurnEnvironment<Seen> & {
  readonly env: TurnEnvironment<Inner>;
};

/** A wrapped environment for one agent: `env` is the one inside. */
export type EnvWrapper<Seen, Inner = Seen> = Environment<Seen> & { readonly env: Environment<Inner> };

/** The members that a wrapper with unchanged observations overrides. */
export type TurnChanges<Seen> = Partial<Omit<TurnEnvironment<Seen>, 'spec'>>;

/** As `TurnChanges`, for one agent. */
export type EnvChanges<Seen> = Partial<Omit<Environment<Seen>, 'spec'>>;

/** The members that a wrapper with other observations must override. */
export type SeenChanges<Seen> = Pick<TurnEnvironment<Seen>, 'observationSpace' | 'observe' | 'last'> &
  TurnChanges<Seen>;

/** As `SeenChanges`, for one agent. */
export type EnvSeenChanges<Seen> = Pick<Environment<Seen>, 'observationSpace' | 'reset' | 'step'> &
  EnvChanges<Seen>;

/**
 * Whether an environment is for agents in turn; otherwise it is for one agent.
 *
 * @throws EnvError `wrapper-target` for what is no environment, in programs without types.
 */
export function isTurnBased<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
): env is TurnEnvironment<Seen> {
  const given: unknown = env;
  if (typeof given !== 'object' || given === null || !('reset' in given && 'step' in given)) {
    throw new EnvError('wrapper-target', `expected an environment, got ${describeValue(given)}`);
  }
  return 'possibleAgents' in given;
}

/** The environment inside all wrappers, like Gymnasium's `unwrapped`: the innermost `env`. */
export function unwrapped(env: object): object {
  let inner = env;
  while ('env' in inner && typeof inner.env === 'object' && inner.env !== null) inner = inner.env;
  return inner;
}

/** Whether the episode is over for the selected agent, or all agents have left. */
export function isOver(env: TurnEnvironment<unknown>): boolean {
  const { agents, agentSelection } = env;
  return (
    agents.length === 0 ||
    env.terminations[agentSelection] === true ||
    env.truncations[agentSelection] === true
  );
}

/** Wraps `env` with the members of `changes` in place of its own; observations are unchanged. */
export function wrapTurn<Seen>(
  env: TurnEnvironment<Seen>,
  wrapper: WrapperSpec,
  changes: TurnChanges<Seen>,
): TurnWrapper<Seen> {
  return changed(forwardTurn(env, wrapper), changes) as TurnWrapper<Seen>;
}

/** As `wrapTurn`, with other observations. */
export function wrapTurnSeen<Seen, Inner>(
  env: TurnEnvironment<Inner>,
  wrapper: WrapperSpec,
  changes: SeenChanges<Seen>,
): TurnWrapper<Seen, Inner> {
  return changed(forwardTurn(env, wrapper), changes) as TurnWrapper<Seen, Inner>;
}

/** As `wrapTurn`, for one agent. */
export function wrapEnv<Seen>(
  env: Environment<Seen>,
  wrapper: WrapperSpec,
  changes: EnvChanges<Seen>,
): EnvWrapper<Seen> {
  return changed(forwardEnv(env, wrapper), changes) as EnvWrapper<Seen>;
}

/** As `wrapTurnSeen`, for one agent. */
export function wrapEnvSeen<Seen, Inner>(
  env: Environment<Inner>,
  wrapper: WrapperSpec,
  changes: EnvSeenChanges<Seen>,
): EnvWrapper<Seen, Inner> {
  return changed(forwardEnv(env, wrapper), changes) as EnvWrapper<Seen, Inner>;
}

/** A spread would evaluate the getters. */
function changed(forwarded: object, changes: object): object {
  return Object.defineProperties<object>(forwarded, Object.getOwnPropertyDescriptors(changes));
}

function forwardTurn<Seen>(env: TurnEnvironment<Seen>, wrapper: WrapperSpec): TurnWrapper<Seen> {
  return {
    env,
    spec: wrappedSpec(env.spec, wrapper),
    metadata: env.metadata,
    renderMode: env.renderMode,
    possibleAgents: env.possibleAgents,
    get agents() {
      return env.agents;
    },
    get agentSelection() {
      return env.agentSelection;
    },
    get rewards() {
      return env.rewards;
    },
    get cumulativeRewards() {
      return env.cumulativeRewards;
    },
    get terminations() {
      return env.terminations;
    },
    get truncations() {
      return env.truncations;
    },
    get infos() {
      return env.infos;
    },
    observationSpace: (agent) => env.observationSpace(agent),
    actionSpace: (agent) => env.actionSpace(agent),
    reset: (options) => {
      env.reset(options);
    },
    observe: (agent) => env.observe(agent),
    last: () => env.last(),
    step: (action, options) => {
      env.step(action, options);
    },
    render: () => env.render(),
    close: () => {
      env.close();
    },
    save: () => env.save(),
    restore: (state) => {
      env.restore(state);
    },
  };
}

function forwardEnv<Seen>(env: Environment<Seen>, wrapper: WrapperSpec): EnvWrapper<Seen> {
  return {
    env,
    spec: wrappedSpec(env.spec, wrapper),
    metadata: env.metadata,
    renderMode: env.renderMode,
    observationSpace: env.observationSpace,
    actionSpace: env.actionSpace,
    reset: (options) => env.reset(options),
    step: (action, options) => env.step(action, options),
    render: () => env.render(),
    close: () => {
      env.close();
    },
    save: () => env.save(),
    restore: (state) => {
      env.restore(state);
    },
  };
}

function wrappedSpec(spec: EnvSpec | null, wrapper: WrapperSpec): EnvSpec | null {
  return spec === null ? null : { ...spec, wrappers: [...spec.wrappers, wrapper] };
}

/**
 * The spec of a wrapper with options that JSON cannot hold.
 *
 * @param held a description of these options: `a function`.
 */
export function functionWrapper(name: string, held: string): WrapperSpec {
  return {
    name,
    options: {},
    toJSON: () => {
      throw new EnvError(
        'wrapper-function',
        `expected a wrapper that JSON can hold, got ${name} with ${held}`,
      );
    },
  };
}

/**
 * Reads the options of the wrapper `name`.
 *
 * @throws EnvError `wrapper-options`.
 */
export function readOptions<Options>(name: string, schema: z.ZodType<Options>, options: unknown): Options {
  return validate(schema, options ?? {}, (problems, cause) => {
    return new EnvError('wrapper-options', `expected options of ${name}: ${problems}`, { cause });
  });
}

/** The state of a wrapper, `own`, with that of the inner environment. */
export function saveAround(name: string, env: AnyEnvironment, own: Json): EnvState {
  return { version: 1, wrapper: name, own, env: env.save() };
}

/**
 * Inverse of `saveAround`; restores the inner environment.
 *
 * @returns the wrapper's own part.
 * @throws EnvError `state-mismatch`; the environment is unchanged.
 */
export function restoreAround<Own>(
  { name, schema }: { readonly name: string; readonly schema: z.ZodType<Own> },
  env: AnyEnvironment,
  state: EnvState,
): Own {
  const around = z.object({
    version: z.literal(1),
    wrapper: z.literal(name),
    own: schema,
    env: z.looseObject({ version: z.literal(1) }),
  });
  const saved = validate(around, state, (problems, cause) => {
    const message = `expected a state of the wrapper ${name}: ${problems}`;
    return new EnvError('state-mismatch', message, { cause });
  });
  env.restore(saved.env);
  return saved.own;
}

/** The info without legal actions, for an episode that is over. */
export function withoutActions(info: Info): Info {
  return { ...info, legalActions: new Int32Array(0) };
}

/**
 * The observation with its `actionMask`, if it has one, set to zeros. A flattened observation has none and is returned
 * unchanged.
 */
export function withoutMask<Seen>(observation: Seen): Seen {
  if (typeof observation !== 'object' || observation === null || !('actionMask' in observation)) {
    return observation;
  }
  const { actionMask } = observation;
  if (!(actionMask instanceof Uint8Array)) return observation;
  return { ...observation, actionMask: new Uint8Array(actionMask.length) };
}

/** The error for a step of an episode that a wrapper has ended. */
export function overAlready(action: Action | null): IllegalActionError {
  const found = describeValue(action);
  return new IllegalActionError('game-over', `expected reset: the episode is over, got action ${found}`);
}
