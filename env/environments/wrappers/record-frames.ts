import * as z from 'zod';
import { EnvError } from '../../errors.js';
import type { Environment, TurnEnvironment } from '../environment.js';
import type { AnyEnvironment, EnvWrapper, TurnWrapper } from './wrapping.js';
import { isTurnBased, readOptions, wrapEnv, wrapTurn } from './wrapping.js';

const NAME = 'recordFrames';

const Options = z.strictObject({
  popFrames: z.boolean().default(true),
  resetClean: z.boolean().default(true),
});

/** Options of `recordFrames`. */
export interface RecordFramesOptions {
  /** Whether `frames()` removes the frames it returns. Defaults to true. */
  readonly popFrames?: boolean | undefined;
  /** Whether a reset removes earlier frames. Defaults to true. */
  readonly resetClean?: boolean | undefined;
}

/** The collected frames. */
export interface FrameRecorder {
  /** The text or SVG of each position since the reset, including the first. */
  frames(): readonly string[];
}

/**
 * Renders the environment after every reset and step, like Gymnasium's `RenderCollection`; `frames()` returns
 * the frames, and `render` still returns the current position. Steps by which agents leave add no frame.
 *
 * @throws EnvError `wrapper-options`; `wrapper-target` if the environment renders neither `ansi` nor `svg`.
 */
export function recordFrames<Seen>(
  env: TurnEnvironment<Seen>,
  options?: RecordFramesOptions,
): TurnWrapper<Seen> & FrameRecorder;
export function recordFrames<Seen>(
  env: Environment<Seen>,
  options?: RecordFramesOptions,
): EnvWrapper<Seen> & FrameRecorder;
export function recordFrames<Seen>(
  env: TurnEnvironment<Seen> | Environment<Seen>,
  options?: RecordFramesOptions,
): AnyEnvironment<Seen> & FrameRecorder {
  const read = readOptions(NAME, Options, options);
  checkRenders(env);
  let collected: string[] = [];
  const wrapper = { name: NAME, options: read };
  const collect = (): void => {
    collected.push(env.render()!);
  };
  const begin = (): void => {
    if (read.resetClean) collected = [];
    collect();
  };
  const recorder: FrameRecorder = {
    frames() {
      const given = collected;
      collected = read.popFrames ? [] : [...given];
      return given;
    },
  };
  if (isTurnBased(env)) {
    const wrapped = wrapTurn(env, wrapper, {
      reset(resetOptions) {
        env.reset(resetOptions);
        begin();
      },
      step(action, stepOptions) {
        env.step(action, stepOptions);
        if (action !== null) collect();
      },
    });
    return Object.assign(wrapped, recorder);
  }
  const wrapped = wrapEnv(env, wrapper, {
    reset(resetOptions) {
      const result = env.reset(resetOptions);
      begin();
      return result;
    },
    step(action, stepOptions) {
      const result = env.step(action, stepOptions);
      collect();
      return result;
    },
  });
  return Object.assign(wrapped, recorder);
}

function checkRenders({ renderMode }: AnyEnvironment): void {
  if (renderMode === 'ansi' || renderMode === 'svg') return;
  const found = renderMode ?? 'none';
  throw new EnvError('wrapper-target', `expected an environment of render mode ansi or svg, got ${found}`);
}
