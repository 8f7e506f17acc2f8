import { EnvError } from '../../errors.js';
import { Box } from '../../spaces/box.js';
import { commonDtype } from '../../spaces/dtype.js';
import { flatdim, flatDtype, flattenInto, flattenSpace } from '../../spaces/flatten.js';
import type { Space } from '../../spaces/space.js';
import type { WrapperSpec } from '../env-spec.js';
import type { Environment, TurnEnvironment } from '../environment.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import { isTurnBased, wrapEnvSeen, wrapTurnSeen } from './wrapping.js';

const WRAPPER: WrapperSpec = { name: 'flattenObservation', options: {} };

interface Flattening<Seen> {
  readonly space: Space<Float32Array>;
  readonly flatten: (observation: Seen) => Float32Array;
}

/**
 * Flattens each observation to one `Float32Array`, which is new and belongs to the caller, like Gymnasium's
 * `FlattenObservation`: members follow the order of their sorted names, so a mask comes before the planes. `unflatten`
 * of the inner space is the inverse.
 *
 * @throws EnvError `wrapper-target` for observations that 32-bit floats cannot represent exactly.
 */
export function flattenObservation<Seen>(env: TurnEnvironment<Seen>): TurnWrapper<Float32Array, Seen>;
export function flattenObservation<Seen>(env: Environment<Seen>): EnvWrapper<Float32Array, Seen>;
export function flattenObservation<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
): AnyEnvironment<Float32Array> {
  if (!isTurnBased(env)) {
    const { space, flatten } = flatteningOf(env.observationSpace);
    return wrapEnvSeen<Float32Array, Seen>(env, WRAPPER, {
      observationSpace: space,
      reset(options) {
        const { observation, info } = env.reset(options);
        return { observation: flatten(observation), info };
      },
      step(action, options) {
        const result = env.step(action, options);
        return { ...result, observation: flatten(result.observation) };
      },
    });
  }
  const flattenings = new Map(
    env.possibleAgents.map((agent) => [agent, flatteningOf(env.observationSpace(agent))]),
  );
  const of = (agent: string): Flattening<Seen> =>
    // The inner environment rejects unknown agents.
    flattenings.get(agent) ?? flatteningOf(env.observationSpace(agent));
  return wrapTurnSeen<Float32Array, Seen>(env, WRAPPER, {
    observationSpace: (agent) => of(agent).space,
    observe: (agent) => of(agent).flatten(env.observe(agent)),
    last() {
      const turn = env.last();
      return { ...turn, observation: of(env.agentSelection).flatten(turn.observation) };
    },
  });
}

function flatteningOf<Seen>(inner: Space<Seen>): Flattening<Seen> {
  if (commonDtype([flatDtype(inner), 'float32']) !== 'float32') {
    throw new EnvError(
      'wrapper-target',
      `expected observations that 32-bit floats can hold, got ${inner.toString()}`,
    );
  }
  const { low, high } = flattenSpace(inner);
  const size = flatdim(inner);
  return {
    space: new Box(low, high, [size]),
    flatten(observation) {
      const out = new Float32Array(size);
      flattenInto(inner, observation, out, 0);
      return out;
    },
  };
}
