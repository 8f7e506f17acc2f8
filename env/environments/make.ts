import * as z from 'zod';
import { EnvError } from '../errors.js';
import type { Game, Paint } from '../game.js';
import { describeProblems } from '../problems-text.js';
import type { EnvSpec, Json, WrapperSpec } from './env-spec.js';
import type { Environment, RenderMode, TurnEnvironment } from './environment.js';
import { createBasicOpponent, type OpponentMaker } from './opponent.js';
import { OpponentEnv, type Side } from './opponent-env.js';
import { findEntry } from './registry.js';
import { rulesDigest } from './rules-digest.js';
import { SelfPlayEnv } from './self-play-env.js';
import { TurnEnv } from './turn-env.js';
import { VectorEnv } from './vector/vector-env.js';
import type { AutoresetMode, VectorEnvironment } from './vector/vector-environment.js';
import { wrapStepsBySpec, wrapTurnsBySpec } from './wrappers/wrapper-table.js';
import { isTurnBased } from './wrappers/wrapping.js';

/** What an environment can be made from, as JSON; entries of the registry have further names, such as `rules`. */
export interface EnvKwargs {
  /** The text of the rules, where the game has a choice. */
  readonly rules?: string | undefined;
  /** The ply at which an episode is truncated. */
  readonly plyLimit?: number | undefined;
  /** Whether arrays are new and the caller's; by default they are (`TurnEnv`). */
  readonly copy?: boolean | undefined;
  readonly renderMode?: RenderMode | null | undefined;
  /**
   * The text of an opponent: with it the environment is for one agent, who with `self` plays both sides
   * (`SelfPlayEnv`).
   */
  readonly opponent?: string | undefined;
  /** The agent's side against an opponent; by default drawn for every episode. */
  readonly side?: Side | undefined;
  readonly [name: string]: Json | undefined;
}

/** What an environment needs that is no JSON. */
export interface EnvParts {
  /** Makes the opponent; by default `random` is known. */
  readonly createOpponent?: OpponentMaker | undefined;
  /** Where mode `human` writes, by default to the terminal. */
  readonly write?: ((text: string) => void) | undefined;
  /** Colours what modes `ansi` and `human` show: `ansiPaint`. By default `human` has colours on a terminal. */
  readonly paint?: Paint | undefined;
}

/** The opponent of an agent that plays both sides. */
const SELF = 'self';

/** What all environments can be made from. */
const COMMON_KWARGS = {
  plyLimit: z.int().positive().optional(),
  copy: z.boolean().optional(),
  renderMode: z.enum(['ansi', 'human', 'svg']).nullish(),
  opponent: z.string().optional(),
  side: z.enum(['first', 'second', 'random']).optional(),
};

interface CheckedKwargs {
  readonly plyLimit?: number | undefined;
  readonly copy?: boolean | undefined;
  readonly renderMode?: RenderMode | null | undefined;
  readonly opponent?: string | undefined;
  readonly side?: Side | undefined;
}

/** What the environment is of, and what it is made with. */
interface Plan {
  readonly game: Game<unknown>;
  readonly kwargs: CheckedKwargs;
  readonly spec: EnvSpec;
}

function plan(text: string, given: EnvKwargs): Plan {
  const { id, entry } = findEntry(text);
  const kwargs = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const schema = z.strictObject({ ...entry.kwargs, ...COMMON_KWARGS });
  const read = schema.safeParse(kwargs);
  if (!read.success) {
    throw new EnvError('kwargs', `${id}: ${describeProblems(read.error)}`, { cause: read.error });
  }
  const checked: CheckedKwargs & Record<string, unknown> = read.data;
  if (checked.side !== undefined && checked.opponent === undefined) {
    throw new EnvError('kwargs', `${id}: expected a side only with an opponent, got '${checked.side}'`);
  }
  if (checked.side !== undefined && checked.opponent === SELF) {
    throw new EnvError(
      'kwargs',
      `${id}: expected no side with the opponent '${SELF}', got '${checked.side}'`,
    );
  }
  const game = entry.createGame(checked);
  const { renderMode = null, ...others } = kwargs as Record<string, Json>;
  return {
    game,
    kwargs: checked,
    spec: {
      id,
      kwargs: others,
      renderMode: renderMode as RenderMode | null,
      wrappers: [],
      rulesDigest: rulesDigest(game),
    },
  };
}

function build({ game, kwargs, spec }: Plan, parts: EnvParts): TurnEnvironment | Environment {
  const { plyLimit, copy, renderMode, opponent, side } = kwargs;
  const { write, paint } = parts;
  const options = { plyLimit, copy, renderMode, write, paint, spec };
  if (opponent === undefined) return new TurnEnv(game, options);
  if (opponent === SELF) return new SelfPlayEnv(new TurnEnv(game, options));
  const createOpponent = parts.createOpponent ?? createBasicOpponent;
  return new OpponentEnv(game, createOpponent(opponent, game), { ...options, side });
}

/**
 * Makes an environment by its id, as Gymnasium's `make`: for two agents in turn, or with `opponent` for one.
 *
 * ```ts
 * const env = make('gess/Gess-v0', { rules: 'wikipedia', plyLimit: 200 });
 * const single = make('gess/Quess', { opponent: 'random', side: 'first' });
 * ```
 *
 * @param id the highest version where none is named.
 * @throws EnvError `env-id`, `env-unknown`, `kwargs`, `opponent`; NotationError `rules-unknown`.
 */
export function make(
  id: string,
  kwargs: EnvKwargs & { readonly opponent: string },
  parts?: EnvParts,
): Environment;
export function make(
  id: string,
  kwargs?: EnvKwargs & { readonly opponent?: undefined },
  parts?: EnvParts,
): TurnEnvironment;
export function make(
  id: string,
  kwargs: EnvKwargs = {},
  parts: EnvParts = {},
): TurnEnvironment | Environment {
  return build(plan(id, kwargs), parts);
}

/** What a vector of environments can be made from, besides what each of them is. */
export interface VectorKwargs {
  /** How many environments, 1 or more. */
  readonly numEnvs: number;
  /** By default `next-step`, as in Gymnasium. */
  readonly autoreset?: AutoresetMode | undefined;
  /** Whether what the vector returns is new and the caller's; by default it is (`VectorEnv`). */
  readonly copy?: boolean | undefined;
  /** Put around each environment, the first innermost. */
  readonly wrappers?: readonly Pick<WrapperSpec, 'name' | 'options'>[] | undefined;
}

const VECTOR_KWARGS = z.object({
  numEnvs: z.int().positive().max(65536),
  autoreset: z.enum(['next-step', 'same-step', 'disabled']).optional(),
  copy: z.boolean().optional(),
  wrappers: z.array(z.strictObject({ name: z.string(), options: z.record(z.string(), z.json()) })).optional(),
});

/** How a vector works, and what makes one of its environments. */
export interface VectorPlan extends VectorKwargs {
  /** Makes a new environment, equal to all that it makes. */
  readonly create: () => Environment<unknown>;
}

/**
 * Tells the kwargs of a vector from those of its environments.
 *
 * @throws EnvError `vector-options`.
 */
export function readVectorKwargs(
  id: string,
  { numEnvs, autoreset, copy, wrappers, ...each }: EnvKwargs & VectorKwargs,
): { readonly vector: VectorKwargs; readonly each: EnvKwargs } {
  const read = VECTOR_KWARGS.safeParse({ numEnvs, autoreset, copy, wrappers });
  if (read.success) return { vector: read.data, each };
  throw new EnvError('vector-options', `${id}: ${describeProblems(read.error)}`, { cause: read.error });
}

/**
 * What a vector is to be made from, for whoever holds its environments.
 *
 * @throws EnvError `vector-options`, and what `make` throws; `create` throws what `make` and `makeFromSpec` throw.
 */
export function planVector(id: string, kwargs: EnvKwargs & VectorKwargs, parts: EnvParts = {}): VectorPlan {
  const { vector, each } = readVectorKwargs(id, kwargs);
  // The vector copies, so its environments need not; and games have no state, so one will do.
  const planned = plan(id, { opponent: SELF, ...each, copy: false });
  const create = (): Environment<unknown> =>
    wrapStepsBySpec(build(planned, parts) as Environment, vector.wrappers ?? []);
  return { ...vector, create };
}

/**
 * Makes several equal environments in this process, as Gymnasium's `make_vec`: each against `opponent`, or, where
 * none is named, for an agent that plays both sides.
 *
 * ```ts
 * const envs = makeVec('gess/Quess', { numEnvs: 8, opponent: 'random', autoreset: 'same-step' });
 * ```
 *
 * @throws EnvError `vector-options`, and what `make` and `makeFromSpec` throw.
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

const Spec = z.strictObject({
  id: z.string(),
  kwargs: z.record(z.string(), z.json()),
  renderMode: z.enum(['ansi', 'human', 'svg']).nullable(),
  wrappers: z.array(z.strictObject({ name: z.string(), options: z.record(z.string(), z.json()) })),
  rulesDigest: z.string(),
});

/**
 * The spec of an environment that `make` made, wrapped or not; `JSON.stringify` of it is what `readEnvSpec` reads.
 *
 * @throws EnvError `no-spec` for one that was made in another way.
 */
export function specOf(env: { readonly spec: EnvSpec | null }): EnvSpec {
  if (env.spec === null)
    throw new EnvError('no-spec', 'expected an environment from make, got one without a spec');
  return env.spec;
}

/**
 * Reads the JSON of a spec: of an environment that is known here, with the rules that it was written with.
 *
 * @param json what `JSON.parse` gave.
 * @throws EnvError `spec-syntax`, `env-id`, `env-unknown`, `kwargs`, `rules-mismatch`; NotationError
 * `rules-unknown`.
 */
export function readEnvSpec(json: unknown): EnvSpec {
  const read = Spec.safeParse(json);
  if (!read.success) {
    const message = `expected the spec of an environment: ${describeProblems(read.error)}`;
    throw new EnvError('spec-syntax', message, { cause: read.error });
  }
  planOf(read.data);
  return read.data;
}

/**
 * Makes the environment of a spec, its wrappers around it.
 *
 * @throws what `make` throws; EnvError `rules-mismatch`, `wrapper-unknown`, `wrapper-options`, `wrapper-target`,
 * `wrapper-function`.
 */
export function makeFromSpec(
  spec: EnvSpec,
  parts: EnvParts = {},
): TurnEnvironment<unknown> | Environment<unknown> {
  const env = build(planOf(spec), parts);
  return isTurnBased(env) ? wrapTurnsBySpec(env, spec.wrappers) : wrapStepsBySpec(env, spec.wrappers);
}

function planOf({ id, kwargs, renderMode, rulesDigest: expected }: EnvSpec): Plan {
  const planned = plan(id, { ...kwargs, renderMode });
  const found = planned.spec.rulesDigest;
  if (found === expected) return planned;
  throw new EnvError('rules-mismatch', `expected rules of ${id} with digest ${expected}, got ${found}`);
}
