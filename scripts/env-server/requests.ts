import * as z from 'zod';
import type { Json } from '../../env/environments/env-spec.js';
import { SELF } from '../../env/environments/make.js';
import { validate } from '../../env/problems-text.js';
import { suggestName } from '../../env/text/nearest-name.js';
import { quote } from '../../env/text/quoted-text.js';
import { parseLine, RequestError, RequestId } from '../line-protocol/json-requests.js';
import { FRAMES_VERSION } from './frames/frame-format.js';
import { isJsonObject } from '../../env/text/json-object.js';

/** Greatest ply limit of an environment, which bounds the memory of an episode. */
const MAX_PLY_LIMIT = 1_000_000;
/** Maximum number of seeds: more than the environments of any vector. */
const MAX_SEEDS = 65_536;

/**
 * Not allowed in `kwargs`: separate parameters of a request, `opponent`, which the client plays itself, and `copy`,
 * since answers are always copies.
 */
const OWN_KWARGS = ['opponent', 'side', 'renderMode', 'copy'] as const;

type Kwargs = Readonly<Record<string, Json>>;

/** Any object: `make` validates its members. Its values were parsed as JSON, so they are not walked again. */
const Kwargs = z
  .custom<Kwargs>(isJsonObject, { error: 'expected an object' })
  .refine((kwargs) => !OWN_KWARGS.some((name) => Object.hasOwn(kwargs, name)), {
    error: `expected no ${OWN_KWARGS.join(', ')}`,
  })
  .refine(({ plyLimit }) => typeof plyLimit !== 'number' || plyLimit <= MAX_PLY_LIMIT, {
    error: `expected a plyLimit of at most ${MAX_PLY_LIMIT}`,
  });

/** The number of the environment, from the answer of `make`. */
const env = z.int();
/** Whether the answer includes the observation of the agent to act. */
const observe = z.boolean().default(false);
const seed = z.int().min(0).optional();

/** `human` would write to this process's terminal, which has no reader. */
const renderMode = z.enum(['ansi', 'svg']).nullable().default(null);
/** The type of planes in frames. */
const planes = z.enum(['float32', 'uint8']).default('float32');

/** The parameters of each method. */
const PARAMETERS = {
  hello: z.strictObject({ frames: z.literal(FRAMES_VERSION).optional() }),
  make: z.strictObject({
    id: z.string(),
    kwargs: Kwargs.default({}),
    renderMode,
    planes,
  }),
  makeVector: z.strictObject({
    id: z.string(),
    count: z.int().positive(),
    kwargs: Kwargs.default({}),
    opponent: z.string().default(SELF),
    side: z.enum(['first', 'second', 'random']).optional(),
    autoreset: z.enum(['next-step', 'same-step', 'disabled']).default('next-step'),
    renderMode,
    planes,
  }),
  spec: z.strictObject({ env }),
  spaces: z.strictObject({ env }),
  reset: z.strictObject({
    env,
    seed,
    position: z.string().optional(),
    moves: z.string().optional(),
    observe,
  }),
  last: z.strictObject({ env }),
  observe: z.strictObject({ env, agent: z.string() }),
  step: z.strictObject({ env, action: z.int().nullable(), seconds: z.number().optional(), observe }),
  render: z.strictObject({ env, index: z.int().min(0).default(0) }),
  save: z.strictObject({ env }),
  restore: z.strictObject({
    env,
    state: z.looseObject({ version: z.literal(1) }),
    observe,
  }),
  close: z.strictObject({ env }),
} as const;

/** The names of the methods. */
export type Method = keyof typeof PARAMETERS;

/** The parameters of a method, defaults filled in. */
export type Parameters<M extends Method> = z.infer<(typeof PARAMETERS)[M]>;

/** A line that a client sends, defaults filled in. */
export type Request = {
  [M in Method]: {
    readonly id: string | number;
    readonly method: M;
    readonly params: Parameters<M>;
  };
}[Method];

function isMethod(name: unknown): name is Method {
  return typeof name === 'string' && Object.hasOwn(PARAMETERS, name);
}

const Envelope = z.strictObject({ id: RequestId, method: z.string(), params: z.unknown().optional() });

/** The error for a value that is not what is expected. */
function refused(what: string): (problems: string) => RequestError {
  return (problems) => new RequestError('request-syntax', `${what}: ${problems}`);
}

/**
 * Validates a request.
 *
 * @throws RequestError `request-syntax`.
 */
export function parseRequest(json: unknown): Request {
  const { id, method, params } = validate(Envelope, json, refused('not a request'));
  if (!isMethod(method)) {
    const methods = Object.keys(PARAMETERS);
    const end = suggestName(method, methods);
    throw new RequestError(
      'request-syntax',
      `expected a method of ${methods.join(', ')}; got ${quote(method)}${end}`,
    );
  }
  const checked = validate(PARAMETERS[method], params ?? {}, refused(`params of ${method}`));
  return { id, method, params: checked } as Request;
}

/** The options of a reset by a frame. */
const FrameReset = z.strictObject({
  env,
  /** Environment `i` of a vector gets `seed + i`, or entry `i` of a list; null continues its random streams. */
  seed: z.union([z.int().min(0), z.array(z.int().min(0).nullable()).max(MAX_SEEDS)]).optional(),
  position: z.string().optional(),
  moves: z.string().optional(),
  resetMask: z.array(z.int()).max(MAX_SEEDS).optional(),
});

/** The options of a reset by a frame. */
export type FrameReset = z.infer<typeof FrameReset>;

/**
 * Reads the payload of a frame that resets.
 *
 * @throws RequestError `request-syntax`.
 */
export function parseFrameReset(text: string): FrameReset {
  return validate(FrameReset, parseLine(text), refused('frame reset'));
}
