import { EnvError } from '../../errors.js';
import type { WrapperSpec } from '../env-spec.js';
import type { Environment, TurnEnvironment } from '../environment.js';
import type { Masked } from './action-masking.js';
import { maskInInfo, maskInObservation } from './action-masking.js';
import { flattenObservation } from './flatten-observation.js';
import { illegalMovePolicy } from './illegal-move-policy.js';
import { orderEnforcing } from './order-enforcing.js';
import { passiveChecker } from './passive-checker.js';
import { recordEpisodeStatistics } from './record-episode-statistics.js';
import { recordFrames } from './record-frames.js';
import { symmetryAugmentation } from './symmetry-augmentation.js';
import { timeLimit } from './time-limit.js';
import { transformReward } from './transform-reward.js';
import { suggestName } from '../../text/nearest-name.js';
import { quote } from '../../text/quoted-text.js';

/** A wrapper for both kinds of environments, with options from JSON. */
interface TableEntry {
  turns(env: TurnEnvironment<unknown>, options: never): TurnEnvironment<unknown>;
  steps(env: Environment<unknown>, options: never): Environment<unknown>;
}

/**
 * Wrappers by the names of their functions. Each wrapper checks its options and its target itself, so the
 * casts here are safe.
 */
const WRAPPERS: Readonly<Record<string, TableEntry>> = {
  timeLimit: { turns: timeLimit, steps: timeLimit },
  orderEnforcing: { turns: orderEnforcing, steps: orderEnforcing },
  illegalMovePolicy: { turns: illegalMovePolicy, steps: illegalMovePolicy },
  maskInInfo: {
    turns: (env) => maskInInfo(env as TurnEnvironment<Masked<unknown>>),
    steps: (env) => maskInInfo(env as Environment<Masked<unknown>>),
  },
  maskInObservation: {
    turns: (env) => maskInObservation(env),
    steps: (env) => maskInObservation(env),
  },
  recordEpisodeStatistics: { turns: recordEpisodeStatistics, steps: recordEpisodeStatistics },
  recordFrames: { turns: recordFrames, steps: recordFrames },
  flattenObservation: {
    turns: (env) => flattenObservation(env),
    steps: (env) => flattenObservation(env),
  },
  symmetryAugmentation: {
    turns: (env, options) => symmetryAugmentation(env as TurnEnvironment, options),
    steps: (env, options) => symmetryAugmentation(env as Environment, options),
  },
  transformReward: { turns: transformReward, steps: transformReward },
  passiveChecker: { turns: passiveChecker, steps: passiveChecker },
};

/** The names of wrappers that a spec in JSON can have. */
export const WRAPPER_NAMES: readonly string[] = Object.keys(WRAPPERS);

/**
 * Wraps an environment for agents in turn by the wrappers of a spec, the first one innermost.
 *
 * @throws EnvError `wrapper-unknown`; `wrapper-function` for one that JSON cannot hold; `wrapper-options`;
 * `wrapper-target`.
 */
export function wrapTurnsBySpec(
  env: TurnEnvironment<unknown>,
  wrappers: readonly WrapperSpec[],
): TurnEnvironment<unknown> {
  return wrappers.reduce((inner, spec) => entryOf(spec).turns(inner, spec.options as never), env);
}

/** As `wrapTurnsBySpec`, for an environment for one agent. */
export function wrapStepsBySpec(
  env: Environment<unknown>,
  wrappers: readonly WrapperSpec[],
): Environment<unknown> {
  return wrappers.reduce((inner, spec) => entryOf(spec).steps(inner, spec.options as never), env);
}

function entryOf(spec: WrapperSpec): TableEntry {
  // Throws `wrapper-function` for a wrapper that JSON cannot hold.
  spec.toJSON?.();
  const entry = Object.hasOwn(WRAPPERS, spec.name) ? WRAPPERS[spec.name] : undefined;
  if (entry !== undefined) return entry;
  throw new EnvError(
    'wrapper-unknown',
    `expected a wrapper of ${WRAPPER_NAMES.join(', ')}; got ${quote(spec.name)}${suggestName(spec.name, WRAPPER_NAMES)}`,
  );
}
