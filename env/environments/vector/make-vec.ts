import * as z from 'zod';
import { EnvError } from '../../errors.js';
import { validate } from '../../problems-text.js';
import type { WrapperSpec } from '../env-spec.js';
import type { Environment } from '../environment.js';
import { type EnvKwargs, envMaker, type EnvParts, SELF } from '../make.js';
import { parseEnvId } from '../registry.js';
import { wrapStepsBySpec } from '../wrappers/wrapper-table.js';
import { VectorEnv } from './vector-env.js';
import type { AutoresetMode, VectorEnvironment } from './vector-environment.js';

/** The options of a vector of environments, besides those of each environment. */
export interface VectorKwargs {
  /** Number of environments, 1 to 65,536. */
  readonly numEnvs: number;
  /** Defaults to `next-step`, as in Gymnasium. */
  readonly autoreset?: AutoresetMode | undefined;
  /** Whether returned arrays are new and belong to the caller. Defaults to true (`VectorEnv`). */
  readonly copy?: boolean | undefined;
  /** Wrappers of each environment, the first innermost. */
  readonly wrappers?: readonly Pick<WrapperSpec, 'name' | 'options'>[] | undefined;
}

const VECTOR_KWARGS = z.object({
  numEnvs: z.int().positive().max(65536),
  autoreset: z.enum(['next-step', 'same-step', 'disabled']).optional(),
  copy: z.boolean().optional(),
  wrappers: z.array(z.strictObject({ name: z.string(), options: z.record(z.string(), z.json()) })).optional(),
});

/** Checked options of a vector, and the function that makes its environments. */
export interface VectorPlan extends VectorKwargs {
  /** Makes a new environment; all of them are equal. */
  readonly create: () => Environment<unknown>;
}

/**
 * Splits kwargs into those of the vector, which are checked, and those of each environment.
 *
 * @param kwargs absent in programs without types.
 * @throws EnvError `env-id`, `vector-options`.
 */
export function readVectorKwargs(
  id: string,
  kwargs: EnvKwargs & Partial<VectorKwargs> = {},
): { readonly vector: VectorKwargs; readonly each: EnvKwargs } {
  parseEnvId(id);
  const vector = validate(
    VECTOR_KWARGS,
    kwargs,
    (problems, cause) => new EnvError('vector-options', `${id}: ${problems}`, { cause }),
  );
  const each = Object.entries(kwargs).filter(([name]) => !Object.hasOwn(VECTOR_KWARGS.shape, name));
  return { vector, each: Object.fromEntries(each) };
}

/**
 * Checks all kwargs of a vector and its environments.
 *
 * @throws EnvError `vector-options`, and as `make`; `create` throws EnvError as `makeFromSpec`.
 */
export function planVector(id: string, kwargs: EnvKwargs & VectorKwargs, parts: EnvParts = {}): VectorPlan {
  const { vector, each } = readVectorKwargs(id, kwargs);
  // The vector copies, so its environments need not.
  const make = envMaker(id, { ...each, opponent: each.opponent ?? SELF, copy: false }, parts);
  return { ...vector, create: () => wrapStepsBySpec(make(), vector.wrappers ?? []) };
}

/**
 * Makes several equal environments in this process, like Gymnasium's `make_vec`. Each is for one agent, against
 * `opponent` or, by default, playing both sides.
 *
 * ```ts
 * const envs = makeVec('gess/Quess', { numEnvs: 8, opponent: 'random', autoreset: 'same-step' });
 * ```
 *
 * @throws EnvError `vector-options`, and as `make` and `makeFromSpec`.
 */
export function makeVec(
  id: string,
  kwargs: EnvKwargs & VectorKwargs & { readonly wrappers?: undefined },
  parts?: EnvParts,
): VectorEnvironment;
export function makeVec(
  id: string,
  kwargs: EnvKwargs & VectorKwargs,
  parts?: EnvParts,
): VectorEnvironment<unknown>;
export function makeVec(
  id: string,
  kwargs: EnvKwargs & VectorKwargs,
  parts: EnvParts = {},
): VectorEnvironment | VectorEnvironment<unknown> {
  const { create, numEnvs, autoreset, copy } = planVector(id, kwargs, parts);
  return new VectorEnv(new Array<typeof create>(numEnvs).fill(create), { autoreset, copy });
}
