import { SpaceError } from '../errors.js';
import type { Box } from './box.js';
import type { Dict } from './dict.js';
import type { Discrete } from './discrete.js';
import type { Dtype } from './dtype.js';
import type { MultiBinary } from './multi-binary.js';
import type { MultiDiscrete } from './multi-discrete.js';
import type { Space } from './space.js';
import type { Tuple } from './tuple.js';
import { suggestName } from '../text/nearest-name.js';
import { quote } from '../text/quoted-text.js';

/** The spaces of this folder, discriminated by `kind`. */
export type BuiltInSpace = Box<Dtype> | Discrete | MultiBinary | MultiDiscrete | Dict | Tuple;

/** The kinds of `BuiltInSpace`. */
const SPACE_KINDS = ['Box', 'Discrete', 'MultiBinary', 'MultiDiscrete', 'Dict', 'Tuple'] as const;

/**
 * Narrows a space to the built-in kinds.
 *
 * @throws SpaceError `space-kind` for any other kind.
 */
export function asBuiltIn(space: Space): BuiltInSpace {
  if (isKnownKind(space.kind)) return space as BuiltInSpace;
  throw unknownKind(space.kind);
}

/** Whether a kind is one of `SPACE_KINDS`. */
export function isKnownKind(kind: string): kind is BuiltInSpace['kind'] {
  return (SPACE_KINDS as readonly string[]).includes(kind);
}

/** The `SpaceError` for an unknown kind. */
export function unknownKind(kind: string, where = ''): SpaceError {
  return new SpaceError(
    'space-kind',
    `expected a kind ${SPACE_KINDS.join(', ')}, got ${quote(kind)}${where}${suggestName(kind, SPACE_KINDS)}`,
  );
}
