import { Dict } from '../../spaces/dict.js';
import { MultiBinary } from '../../spaces/multi-binary.js';
import type { Space } from '../../spaces/space.js';
import { EnvError } from '../../errors.js';
import type { WrapperSpec } from '../env-spec.js';
import type { Environment, Info, TurnEnvironment } from '../environment.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import { isTurnBased, wrapEnvSeen, wrapTurnSeen } from './wrapping.js';

/** An observation with the mask of legal actions. */
export interface Masked<Seen> {
  readonly observation: Seen;
  /** `[A]` 1 for legal actions. */
  readonly actionMask: Uint8Array;
}

/** The mask that `maskInInfo` added to an info. */
export function maskOf(info: Info): Uint8Array | undefined {
  const mask = info['actionMask'];
  return mask instanceof Uint8Array ? mask : undefined;
}

/**
 * Moves the mask from the observation to `info.actionMask`, as in PettingZoo's environments without masked
 * observations; the observation is then the array alone.
 *
 * @throws EnvError `wrapper-target` for an environment whose observations have no mask.
 */
export function maskInInfo<Seen>(env: TurnEnvironment<Masked<Seen>>): TurnWrapper<Seen, Masked<Seen>>;
export function maskInInfo<Seen>(env: Environment<Masked<Seen>>): EnvWrapper<Seen, Masked<Seen>>;
export function maskInInfo<Seen>(
  env: TurnEnvironment<Masked<Seen>> | Environment<Masked<Seen>>,
): AnyEnvironment<Seen> {
  const wrapper: WrapperSpec = { name: 'maskInInfo', options: {} };
  const withMask = (info: Info, { actionMask }: Masked<Seen>): Info => ({ ...info, actionMask });
  if (!isTurnBased(env)) {
    return wrapEnvSeen<Seen, Masked<Seen>>(env, wrapper, {
      observationSpace: innerSpace(env.observationSpace),
      reset(options) {
        const { observation, info } = env.reset(options);
        return { observation: observation.observation, info: withMask(info, observation) };
      },
      step(action, options) {
        const { observation, info, ...rest } = env.step(action, options);
        return { ...rest, observation: observation.observation, info: withMask(info, observation) };
      },
    });
  }
  const spaces = new Map(env.possibleAgents.map((agent) => [agent, innerSpace(env.observationSpace(agent))]));
  return wrapTurnSeen<Seen, Masked<Seen>>(env, wrapper, {
    // The inner environment rejects unknown agents.
    observationSpace: (agent) => spaces.get(agent) ?? innerSpace(env.observationSpace(agent)),
    observe: (agent) => env.observe(agent).observation,
    last() {
      const { observation, info, ...rest } = env.last();
      return { ...rest, observation: observation.observation, info: withMask(info, observation) };
    },
    get infos() {
      const infos = Object.entries(env.infos);
      return Object.fromEntries(infos.map(([agent, info]) => [agent, withMask(info, env.observe(agent))]));
    },
  });
}

/**
 * The space of `observation` in a space of masked observations.
 *
 * @throws EnvError `wrapper-target`.
 */
export function innerSpace<Seen>(space: Space<Masked<Seen>>): Space<Seen> {
  if (space instanceof Dict) {
    const members = space.spaces as Readonly<Record<string, Space | undefined>>;
    const { observation, actionMask } = members;
    if (observation !== undefined && actionMask !== undefined) return observation as Space<Seen>;
  }
  const found = space.toString();
  throw new EnvError('wrapper-target', `expected observations with observation and actionMask, got ${found}`);
}

/**
 * Adds a mask of `info.legalActions` to the observation, which becomes `{ observation, actionMask }`. The
 * inverse of `maskInInfo`.
 */
export function maskInObservation<Seen>(env: TurnEnvironment<Seen>): TurnWrapper<Masked<Seen>, Seen>;
export function maskInObservation<Seen>(env: Environment<Seen>): EnvWrapper<Masked<Seen>, Seen>;
export function maskInObservation<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
): AnyEnvironment<Masked<Seen>> {
  const wrapper: WrapperSpec = { name: 'maskInObservation', options: {} };
  if (!isTurnBased(env)) {
    const { n, start } = env.actionSpace;
    const seen = (observation: Seen, info: Info): Masked<Seen> => ({
      observation,
      actionMask: drawMask(info, n, start),
    });
    return wrapEnvSeen<Masked<Seen>, Seen>(env, wrapper, {
      observationSpace: maskedSpace(env.observationSpace, n),
      reset(options) {
        const { observation, info } = env.reset(options);
        return { observation: seen(observation, info), info };
      },
      step(action, options) {
        const { observation, ...rest } = env.step(action, options);
        return { ...rest, observation: seen(observation, rest.info) };
      },
    });
  }
  const sizeOf = (agent: string): number => env.actionSpace(agent).n;
  const spaceOf = (agent: string): Space<Masked<Seen>> =>
    maskedSpace(env.observationSpace(agent), sizeOf(agent));
  const spaces = new Map(env.possibleAgents.map((agent) => [agent, spaceOf(agent)]));
  const seen = (agent: string, observation: Seen, info: Info): Masked<Seen> => ({
    observation,
    actionMask: drawMask(info, sizeOf(agent), env.actionSpace(agent).start),
  });
  return wrapTurnSeen<Masked<Seen>, Seen>(env, wrapper, {
    observationSpace: (agent) => spaces.get(agent) ?? spaceOf(agent),
    observe: (agent) => seen(agent, env.observe(agent), env.infos[agent] ?? { legalActions: NONE, ply: 0 }),
    last() {
      const { observation, ...rest } = env.last();
      return { ...rest, observation: seen(env.agentSelection, observation, rest.info) };
    },
  });
}

const NONE = new Int32Array(0);

function maskedSpace<Seen>(space: Space<Seen>, size: number): Space<Masked<Seen>> {
  return new Dict({ observation: space, actionMask: new MultiBinary(size) });
}

function drawMask({ legalActions }: Info, size: number, start: number): Uint8Array {
  const mask = new Uint8Array(size);
  for (const action of legalActions) mask[action - start] = 1;
  return mask;
}
