// Needs Node: the number of cores.
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { EnvError } from '../../errors.js';
import { validate } from '../../problems-text.js';
import { MAX_TIMER_MS } from '../../processes/deadline.js';
import { LOAD_MS } from '../../processes/limited-import.js';

/** The options of a vector over processes, besides those of `makeVec`. */
export interface ProcessOptions {
  /** Number of processes, 1 to `numEnvs`. Defaults to the number of cores or environments, whichever is smaller. */
  readonly processes?: number | undefined;
  /**
   * Whether to start threads of this process instead, which write their results to memory that they share with it:
   * faster with large observations. Defaults to false; keep it false for environments or opponents that load native
   * code, such as networks.
   */
  readonly threads?: boolean | undefined;
  /**
   * URLs of modules that each process loads first. It registers the game of a default export. The last exported
   * `createOpponent` makes the opponents, for example that of `gess-zero/agents/environment-opponent`.
   */
  readonly modules?: readonly string[] | undefined;
  /** Milliseconds in which each module must load, 1 to 2^31 - 1. Defaults to 30,000. */
  readonly loadMs?: number | undefined;
}

/** Options with their defaults. */
type CheckedOptions = { readonly [Name in keyof ProcessOptions]-?: Exclude<ProcessOptions[Name], undefined> };

/**
 * Checks the options of a vector of `numEnvs` environments.
 *
 * @throws EnvError `vector-options`.
 */
export function readProcessOptions(options: ProcessOptions, numEnvs: number): CheckedOptions {
  const schema = z.strictObject({
    processes: z.int().min(1).max(numEnvs).default(Math.min(numEnvs, availableParallelism())),
    threads: z.boolean().default(false),
    modules: z.array(z.string()).default([]),
    loadMs: z.int().min(1).max(MAX_TIMER_MS).default(LOAD_MS),
  });
  return validate(schema, options, (problems, cause) => {
    return new EnvError('vector-options', `expected options of a vector over processes: ${problems}`, {
      cause,
    });
  });
}
