/**
 * Text description of the numbers that a game's network reads and writes, for users of a model without this
 * program.
 */
export interface EncodingDescription {
  /** One text for each plane of `observe`, in order. */
  readonly planes: readonly string[];
  /** Orientation of the board in the planes. */
  readonly orientation: string;
  /** Numbering of the moves by policy indices. */
  readonly policy: string;
  /** Planes of the pieces: each is 1 on the squares where that side has a piece. */
  readonly holders: { readonly own: readonly number[]; readonly opponent: readonly number[] };
  /** Plane of each side's rings; absent in games without rings. */
  readonly rings?: { readonly own: number; readonly opponent: number };
}

/**
 * Numbers the planes of a table by their order.
 *
 * @param table the meaning of each plane by name, in order; names must not be integers.
 */
export function numberPlanes<Name extends string>(
  table: Readonly<Record<Name, string>>,
): Readonly<Record<Name, number>> {
  return Object.fromEntries(Object.keys(table).map((name, index) => [name, index])) as Record<Name, number>;
}
