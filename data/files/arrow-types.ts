import type { Dtype } from '../../env/spaces/dtype.js';

/** Element type of a column of lists; `bit`: 0 or 1, packed eight to a byte, lowest bit first. */
export type ItemType = Dtype | 'bit';

/** The name by which Arrow prints the type of a column of lists: `List<Uint16>`, `List<Bool>`. */
export function listTypeName(items: ItemType): string {
  return `List<${items === 'bit' ? 'Bool' : items.charAt(0).toUpperCase() + items.slice(1)}>`;
}
