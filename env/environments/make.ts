import * as z from 'zod';
import { EnvError } from '../errors.js';
import type { GameDefinition } from '../definition/game-definition.js';
import { type Game, gameWithPlanes, type Paint } from '../game.js';
import { validate } from '../problems-text.js';
import type { EnvSpec, Json, RenderMode } from './env-spec.js';
import type { Environment, TurnEnvironment } from './environment.js';
import { createBasicOpponent, type OpponentMaker } from './opponent.js';
import { OpponentEnv, type Side } from './opponent-env.js';
import { findEntry } from './registry.js';
import { rulesDigest } from './rules-digest.js';
import { SelfPlayEnv } from './self-play-env.js';
import { TurnEnv } from './turn-env.js';
import { wrapStepsBySpec, wrapTurnsBySpec } from './wrappers/wrapper-table.js';
import { isTurnBased } from './wrappers/wrapping.js';
import { describeValue } from '../text/described-value.js';
import { quote } from '../text/quoted-text.js';

/** The options of an environment, as JSON; an entry of the registry may have more, such as `rules`. */
export interface EnvKwargs {
  /** The text of the rules, for games with several sets. */
  readonly rules?: string | undefined;
  /** The ply at which an episode is truncated. */
  readonly plyLimit?: number | undefined;
  /** Whether observations also have the planes of moves, in games that have them. Defaults to false. */
  readonly movePlanes?: boolean | undefined;
  /** Whether returned arrays are new and belong to the caller. Defaults to true (`TurnEnv`). */
  readonly copy?: boolean | undefined;
  readonly renderMode?: RenderMode | null | undefined;
  /**
   * The name of an opponent. The environment is then for a single agent; with `self` that agent plays both sides
   * (`SelfPlayEnv`).
   */
  readonly opponent?: string | undefined;
  /** The agent's side against an opponent. Defaults to `random`, a new side for every episode. */
  readonly side?: Side | undefined;
  readonly [name: string]: Json | undefined;
}

/** The parts of an environment that JSON cannot hold. */
export interface EnvParts {
  /** Makes the opponent. By default only `random` is known. */
  readonly createOpponent?: OpponentMaker | undefined;
  /** Receives the text of mode `human`. Defaults to the terminal. */
  readonly write?: ((text: string) => void) | undefined;
  /** Colours the text of modes `ansi` and `human`: `ansiPaint`. By default `human` uses colours on a terminal. */
  readonly paint?: Paint | undefined;
}

/** The opponent of an agent that plays both sides. */
export const SELF = 'self';

/** Kwargs of every environment. */
const COMMON_KWARGS = {
  plyLimit: z.int().positive().optional(),
  movePlanes: z.boolean().optional(),
  copy: z.boolean().optional(),
  renderMode: z.enum(['ansi', 'human', 'svg']).nullish(),
  opponent: z.string().optional(),
  side: z.enum(['first', 'second', 'random']).optional(),
};

interface CheckedKwargs {
  readonly rules?: string;
  readonly plyLimit?: number | undefined;
  readonly movePlanes?: boolean | undefined;
  readonly copy?: boolean | undefined;
  readonly renderMode?: RenderMode | null | undefined;
  readonly opponent?: string | undefined;
  readonly side?: Side | undefined;
}

/** The game of an environment, with its checked kwargs and its spec. */
interface Plan {
  readonly game: Game<unknown>;
  readonly kwargs: CheckedKwargs;
  readonly spec: EnvSpec;
}

/** The game that the kwargs of an environment mean. */
function gameOfKwargs(id: string, definition: GameDefinition, kwargs: CheckedKwargs): Game<unknown> {
  const { rules = 'default', plyLimit, movePlanes = false } = kwargs;
  const created = definition.create({ rules, plyLimit });
  const game = gameWithPlanes(created, movePlanes);
  if (game !== null) return game;
  throw new EnvError(
    'kwargs',
    `${id}: expected movePlanes false, as ${created.id} has no planes of moves, got true`,
  );
}

/** The kwargs that are given; a value that is not an object is returned as it is, for the schema to refuse. */
function withoutUndefined(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function plan(text: string, given: EnvKwargs): Plan {
  const { id, game: definition, rules } = findEntry(text);
  const kwargs = withoutUndefined(given);
  const schema: z.ZodType<CheckedKwargs> =
    rules === undefined
      ? z.strictObject(COMMON_KWARGS)
      : z.strictObject({ rules: z.string().default(rules), ...COMMON_KWARGS });
  const checked = validate(
    schema,
    kwargs,
    (problems, cause) => new EnvError('kwargs', `${id}: ${problems}`, { cause }),
  );
  if (checked.side !== undefined && checked.opponent === undefined) {
    throw new EnvError('kwargs', `${id}: expected a side only with an opponent, got ${quote(checked.side)}`);
  }
  if (checked.side !== undefined && checked.opponent === SELF) {
    throw new EnvError(
      'kwargs',
      `${id}: expected no side with the opponent '${SELF}', got ${quote(checked.side)}`,
    );
  }
  const game = gameOfKwargs(id, definition, checked);
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
  const given: unknown = parts;
  if (typeof given !== 'object' || given === null) {
    const found = describeValue(given);
    throw new EnvError('kwargs', `${spec.id}: expected parts, such as { createOpponent }, got ${found}`);
  }
  const { plyLimit, copy, renderMode, opponent, side } = kwargs;
  const { write, paint } = parts;
  const options = { plyLimit, copy, renderMode, write, paint, spec };
  if (opponent === undefined) return new TurnEnv(game, options);
  if (opponent === SELF) return new SelfPlayEnv(new TurnEnv(game, options));
  const createOpponent = parts.createOpponent ?? createBasicOpponent;
  return new OpponentEnv(game, createOpponent(opponent, game), { ...options, side });
}

/**
 * Makes an environment by its id, like Gymnasium's `make`: for two agents in turn, or with `opponent` for one.
 *
 * ```ts
 * const env = make('gess/Gess-v0', { rules: 'wikipedia', plyLimit: 200 });
 * const single = make('gess/Quess', { opponent: 'random', side: 'first' });
 * ```
 *
 * @param id an id; without a version, the highest version is made.
 * @throws EnvError `env-id`, `env-unknown`, `kwargs`, `opponent`.
 * @throws NotationError `rules-unknown`.
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

/**
 * Checks the kwargs of a single-agent environment once; returns a function that makes any number of equal environments.
 * They share the game, which has no state.
 *
 * @throws EnvError, NotationError as `make`.
 */
export function envMaker(
  id: string,
  kwargs: EnvKwargs & { readonly opponent: string },
  parts: EnvParts = {},
): () => Environment {
  const planned = plan(id, kwargs);
  return () => build(planned, parts) as Environment;
}

const Spec = z.strictObject({
  id: z.string(),
  kwargs: z.record(z.string(), z.json()),
  renderMode: z.enum(['ansi', 'human', 'svg']).nullable(),
  wrappers: z.array(
    z.strictObject({
      name: z.string(),
      options: z.record(z.string(), z.json()),
      // Only in specs of environments in this process.
      toJSON: z.exactOptional(z.custom<() => never>((value) => typeof value === 'function')),
    }),
  ),
  rulesDigest: z.string(),
});

/**
 * The spec of an environment made by `make`, wrapped or not. `readEnvSpec` reads its JSON.
 *
 * @throws EnvError `no-spec` if the environment was made in another way.
 */
export function specOf(env: { readonly spec: EnvSpec | null }): EnvSpec {
  if (env.spec === null)
    throw new EnvError('no-spec', 'expected an environment from make, got one without a spec');
  return env.spec;
}

/**
 * Reads the JSON of a spec. Its environment must be registered, with the same rules as when it was written.
 *
 * @param json parsed JSON.
 * @throws EnvError `spec-syntax`, `env-id`, `env-unknown`, `kwargs`, `rules-mismatch`.
 * @throws NotationError `rules-unknown`.
 */
export function readEnvSpec(json: unknown): EnvSpec {
  const spec = checkedSpec(json);
  planOf(spec);
  return spec;
}

/** @throws EnvError `spec-syntax`. */
function checkedSpec(value: unknown): EnvSpec {
  return validate(Spec, value, (problems, cause) => {
    return new EnvError('spec-syntax', `expected the spec of an environment: ${problems}`, { cause });
  });
}

/**
 * Makes the environment of a spec, its wrappers around it.
 *
 * @throws EnvError as `make`, and `spec-syntax`, `rules-mismatch`, `wrapper-unknown`, `wrapper-options`,
 * `wrapper-target`, `wrapper-function`.
 * @throws NotationError `rules-unknown`.
 */
export function makeFromSpec(
  spec: EnvSpec,
  parts: EnvParts = {},
): TurnEnvironment<unknown> | Environment<unknown> {
  const { wrappers } = checkedSpec(spec);
  const env = build(planOf(spec), parts);
  return isTurnBased(env) ? wrapTurnsBySpec(env, wrappers) : wrapStepsBySpec(env, wrappers);
}

function planOf({ id, kwargs, renderMode, rulesDigest: expected }: EnvSpec): Plan {
  const planned = plan(id, { ...kwargs, renderMode });
  const found = planned.spec.rulesDigest;
  if (found === expected) return planned;
  throw new EnvError('rules-mismatch', `expected rules of ${id} with digest ${expected}, got ${found}`);
}
