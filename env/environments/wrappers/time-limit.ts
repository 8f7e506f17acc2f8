import * as z from 'zod';
import type { Environment, TurnEnvironment } from '../environment.js';
import { endHere, wrapEnding } from './early-end.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import {
  isOver,
  isTurnBased,
  overAlready,
  readOptions,
  restoreAround,
  saveAround,
  withoutActions,
  withoutMask,
  wrapEnv,
} from './wrapping.js';

const NAME = 'timeLimit';

const Options = z.strictObject({ maxEpisodeSteps: z.int().positive() });

/** Options of `timeLimit`. */
export type TimeLimitOptions = z.infer<typeof Options>;

const Elapsed = z.int().min(0);

/**
 * Truncates an episode after `maxEpisodeSteps` steps, like Gymnasium's `TimeLimit`; in an environment for agents in
 * turn, the steps of all agents count, except those by which they leave. Unlike in Gymnasium, an episode that
 * terminates at the last step is not also truncated. No action is legal after a truncation: an `actionMask` in the
 * observation is cleared, so apply this inside `flattenObservation`.
 *
 * @throws EnvError `wrapper-options`.
 */
export function timeLimit<Seen>(env: TurnEnvironment<Seen>, options: TimeLimitOptions): TurnWrapper<Seen>;
export function timeLimit<Seen>(env: Environment<Seen>, options: TimeLimitOptions): EnvWrapper<Seen>;
export function timeLimit<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  options: TimeLimitOptions,
): AnyEnvironment<Seen> {
  const { maxEpisodeSteps } = readOptions(NAME, Options, options);
  return isTurnBased(env) ? limitTurns(env, maxEpisodeSteps) : limitSteps(env, maxEpisodeSteps);
}

function limitTurns<Seen>(env: TurnEnvironment<Seen>, maxEpisodeSteps: number): TurnWrapper<Seen> {
  let elapsed = 0;
  return wrapEnding(
    env,
    { name: NAME, options: { maxEpisodeSteps } },
    {
      schema: Elapsed,
      save: () => elapsed,
      restore: (saved) => {
        elapsed = saved;
      },
      reset: () => {
        elapsed = 0;
      },
      step(action, options) {
        env.step(action, options);
        elapsed += 1;
        return elapsed < maxEpisodeSteps || isOver(env) ? null : endHere(env, { terminated: false });
      },
    },
  );
}

function limitSteps<Seen>(env: Environment<Seen>, maxEpisodeSteps: number): EnvWrapper<Seen> {
  let elapsed = 0;
  let isCut = false;
  const schema = z.object({ elapsed: Elapsed, isCut: z.boolean() });
  return wrapEnv(
    env,
    { name: NAME, options: { maxEpisodeSteps } },
    {
      reset(options) {
        const result = env.reset(options);
        elapsed = 0;
        isCut = false;
        return result;
      },
      step(action, options) {
        if (isCut) throw overAlready(action);
        const result = env.step(action, options);
        elapsed += 1;
        if (elapsed < maxEpisodeSteps || result.terminated || result.truncated) return result;
        isCut = true;
        return {
          observation: withoutMask(result.observation),
          reward: result.reward,
          terminated: false,
          truncated: true,
          info: withoutActions(result.info),
        };
      },
      save: () => saveAround(NAME, env, { elapsed, isCut }),
      restore(state) {
        ({ elapsed, isCut } = restoreAround({ name: NAME, schema }, env, state));
      },
    },
  );
}
