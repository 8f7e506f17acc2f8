import { asBuiltIn } from '../../env/spaces/built-in-space.js';
import type { NumberArray } from '../../env/spaces/dtype.js';
import type { Space } from '../../env/spaces/space.js';
import type { ItemType } from '../files/arrow-types.js';
import { formatPath, type PathPart } from '../../env/spaces/violation.js';

/** An array of numbers in the samples of a space: a column of a file. */
export interface Leaf {
  /** `observations.actionMask` */
  readonly name: string;
  readonly items: ItemType;
  /** Numbers in a sample. */
  readonly size: number;
  /** Its place in a batch of samples as `createBatch` makes it. */
  readonly path: readonly PathPart[];
}

/**
 * The arrays that samples consist of, in a fixed order.
 *
 * @param root the name of the whole sample.
 * @throws SpaceError `space-kind`.
 */
export function leavesOf(space: Space, root: string): readonly Leaf[] {
  return collect(space, []).map((leaf) => ({ ...leaf, name: formatPath([root, ...leaf.path]) }));
}

function collect(space: Space, path: readonly PathPart[]): Omit<Leaf, 'name'>[] {
  const known = asBuiltIn(space);
  switch (known.kind) {
    case 'Box':
      return [{ items: known.dtype, size: known.size, path }];
    case 'MultiBinary':
      return [{ items: 'bit', size: known.size, path }];
    case 'Discrete':
      return [{ items: 'int32', size: 1, path }];
    case 'MultiDiscrete':
      return [{ items: 'int32', size: known.nvec.length, path }];
    case 'Dict':
      return known.keys.flatMap((key) => collect(known.spaces[key]!, [...path, key]));
    case 'Tuple':
      return known.spaces.flatMap((member, index) => collect(member, [...path, index]));
  }
}

/** The array of a leaf in a batch. */
export function arrayOfLeaf({ path }: Leaf, batch: unknown): NumberArray {
  let found = batch;
  for (const part of path) found = (found as Readonly<Record<PathPart, unknown>>)[part];
  return found as NumberArray;
}
