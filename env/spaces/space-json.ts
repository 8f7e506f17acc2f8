import * as z from 'zod';
import { SpaceError } from '../errors.js';
import { namedValues } from '../named-values.js';
import { validate } from '../problems-text.js';
import { Box } from './box.js';
import type { BuiltInSpace } from './built-in-space.js';
import { isKnownKind, unknownKind } from './built-in-space.js';
import { Dict } from './dict.js';
import { Discrete } from './discrete.js';
import { DTYPE_NAMES } from './dtype.js';
import { MultiBinary } from './multi-binary.js';
import { MultiDiscrete } from './multi-discrete.js';
import { decodeNumber } from './sample-json.js';
import type { Space } from './space.js';
import { Tuple } from './tuple.js';
import type { PathPart } from './violation.js';
import { formatPath } from './violation.js';

/** Bounds the recursion, so that hostile JSON cannot exhaust the stack; useful spaces are far less deep. */
const MAX_DEPTH = 32;

const Bounds = z
  .union([z.number(), z.enum(['Infinity', '-Infinity'])])
  .transform((json) => decodeNumber(json)!);
const Shape = z.array(z.number());

/**
 * The fields of each kind. Unknown keys are ignored and absent ones have defaults; an incompatible change
 * must introduce a new kind.
 */
const BoxJson = z.object({
  low: z.union([Bounds, z.array(Bounds)]),
  high: z.union([Bounds, z.array(Bounds)]),
  shape: Shape.optional(),
  dtype: z.enum(DTYPE_NAMES).default('float32'),
});
const DiscreteJson = z.object({ n: z.number(), start: z.number().default(0) });
const MultiBinaryJson = z.object({ shape: Shape });
const MultiDiscreteJson = z.object({ nvec: z.array(z.number()), start: z.array(z.number()).optional() });
const DictJson = z.object({ spaces: namedValues(z.unknown()) });
const TupleJson = z.object({ spaces: z.array(z.unknown()) });

/**
 * Inverse of a space's `toJSON`: `spaceFromJson(JSON.parse(text))`.
 *
 * @throws SpaceError `space-kind` for an unknown kind, `space-syntax` for malformed fields, and the codes of
 * the constructors. Messages have the path in nested spaces.
 */
export function spaceFromJson(json: unknown): BuiltInSpace {
  return readSpace(json, []);
}

function readSpace(json: unknown, path: readonly PathPart[]): BuiltInSpace {
  const { kind } = readFields(z.object({ kind: z.string() }), json, path);
  if (!isKnownKind(kind)) throw unknownKind(kind, whereIs(path));
  if (path.length > MAX_DEPTH) {
    throw new SpaceError('space-syntax', `expected spaces at most ${MAX_DEPTH} deep, got deeper ones`);
  }
  switch (kind) {
    case 'Dict': {
      const members = Object.entries(readFields(DictJson, json, path).spaces);
      const spaces = members.map(([key, member]): [string, Space] => [
        key,
        readSpace(member, [...path, key]),
      ]);
      return construct(path, () => new Dict(Object.fromEntries(spaces)));
    }
    case 'Tuple': {
      const members = readFields(TupleJson, json, path).spaces;
      const spaces = members.map((member, index): Space => readSpace(member, [...path, index]));
      return construct(path, () => new Tuple<readonly Space[]>(spaces));
    }
    case 'Box':
    case 'Discrete':
    case 'MultiBinary':
    case 'MultiDiscrete':
      return readLeaf(kind, json, path);
  }
}

function readLeaf(
  kind: Exclude<BuiltInSpace['kind'], 'Dict' | 'Tuple'>,
  json: unknown,
  path: readonly PathPart[],
): BuiltInSpace {
  switch (kind) {
    case 'Box': {
      const { low, high, shape, dtype } = readFields(BoxJson, json, path);
      return construct(path, () => new Box(low, high, shape, dtype));
    }
    case 'Discrete': {
      const { n, start } = readFields(DiscreteJson, json, path);
      return construct(path, () => new Discrete(n, start));
    }
    case 'MultiBinary': {
      const { shape } = readFields(MultiBinaryJson, json, path);
      return construct(path, () => new MultiBinary(shape));
    }
    case 'MultiDiscrete': {
      const { nvec, start } = readFields(MultiDiscreteJson, json, path);
      return construct(path, () => new MultiDiscrete(nvec, start));
    }
  }
}

function readFields<Fields>(schema: z.ZodType<Fields>, json: unknown, path: readonly PathPart[]): Fields {
  return validate(schema, json, (problems, cause) => {
    const message = `expected a space as JSON${whereIs(path)}: ${problems}`;
    return new SpaceError('space-syntax', message, { cause });
  });
}

/** Calls a constructor and adds the path of the space to its errors. */
function construct<S>(path: readonly PathPart[], create: () => S): S {
  try {
    return create();
  } catch (error) {
    if (!(error instanceof SpaceError) || path.length === 0) throw error;
    throw new SpaceError(error.code, `${error.message}, in the space${whereIs(path)}`, { cause: error });
  }
}

function whereIs(path: readonly PathPart[]): string {
  return path.length === 0 ? '' : ` at ${formatPath(path)}`;
}
