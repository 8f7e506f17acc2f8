import type { Info } from '../environment.js';
import type { InfoColumns } from './batched-infos.js';

/** Infos as messages: the names of fields, which most environments share, are sent once. */
export type PackedInfos = readonly InfoGroup[];

/** Infos of the same fields. */
interface InfoGroup {
  readonly names: readonly string[];
  /** The environments, ascending. */
  readonly indices: number[];
  /** The values of each field. */
  readonly columns: readonly unknown[][];
}

/** Changes the value of a field of environment `index`. */
export type ChangeField = (value: unknown, name: string, index: number) => unknown;

function isGroupOf({ names }: InfoGroup, fields: readonly string[]): boolean {
  return names.length === fields.length && names.every((name, place) => name === fields[place]);
}

/** @param change changes values before they are sent. */
export function packInfos(infos: readonly (Info | null)[], change: ChangeField): PackedInfos {
  const groups: InfoGroup[] = [];
  for (const [index, info] of infos.entries()) {
    if (info === null) continue;
    const names = Object.keys(info);
    let group = groups.find((known) => isGroupOf(known, names));
    if (group === undefined) {
      group = { names, indices: [], columns: names.map(() => []) };
      groups.push(group);
    }
    group.indices.push(index);
    for (let place = 0; place < names.length; place++) {
      const name = names[place]!;
      group.columns[place]!.push(change(info[name], name, index));
    }
  }
  return groups;
}

/**
 * Adds packed infos to `columns`.
 *
 * @param first the environment that the packed ones begin with.
 * @param change changes values after they were sent; its `index` counts from `first`.
 */
export function unpackInfos(
  groups: PackedInfos,
  columns: InfoColumns,
  first: number,
  change: ChangeField,
): void {
  for (const { names, indices, columns: sent } of groups) {
    for (let place = 0; place < names.length; place++) {
      const name = names[place]!;
      const { values, mask } = columns.column(name);
      for (let row = 0; row < indices.length; row++) {
        const index = indices[row]!;
        values[first + index] = change(sent[place]![row], name, index);
        mask[first + index] = 1;
      }
    }
  }
}
