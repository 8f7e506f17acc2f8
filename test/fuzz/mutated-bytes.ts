import fc from 'fast-check';

/** A file with changed bytes. */
export interface Mutant {
  /** Index of the file that was changed. */
  readonly base: number;
  readonly bytes: Uint8Array;
  /** Offsets of the overwritten bytes; null if the length changed too. */
  readonly places: readonly number[] | null;
}

/** Numbers that make readers leave their buffers, go backwards, or take all memory. */
const HOSTILE_NUMBERS = [
  0,
  1,
  2,
  7,
  8,
  255,
  256,
  65_535,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32 - 8,
  4e9,
];

/** A change of the bytes at an offset, given as a share of the file's length. */
type Edit =
  | { readonly kind: 'byte' | 'flip' | 'word' | 'long'; readonly place: number; readonly value: number }
  | {
      readonly kind: 'copy' | 'insert' | 'remove';
      readonly place: number;
      readonly from: number;
      readonly size: number;
    };

const place = fc.noBias(fc.nat(2 ** 30 - 1)).map((share) => share / 2 ** 30);
const overwriting: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('byte' as const), place, value: fc.nat(255) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('flip' as const), place, value: fc.nat(7) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('word' as const, 'long' as const),
      place,
      value: fc.oneof(fc.constantFrom(...HOSTILE_NUMBERS), fc.nat(4096)),
    }),
  },
);
const moving: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('copy' as const, 'insert' as const, 'remove' as const),
  place,
  from: place,
  size: fc.integer({ min: 1, max: 64 }),
});

function applyEdit(
  bytes: Uint8Array,
  edit: Edit,
): { readonly bytes: Uint8Array; readonly place: number | null } {
  const at = Math.floor(edit.place * bytes.length);
  switch (edit.kind) {
    case 'byte':
      bytes[at] = edit.value;
      return { bytes, place: at };
    case 'flip':
      bytes[at]! ^= 1 << edit.value;
      return { bytes, place: at };
    case 'word':
    case 'long': {
      const size = edit.kind === 'word' ? 4 : 8;
      const start = Math.min(at - (at % 4), Math.max(0, bytes.length - size));
      const number = Buffer.alloc(8);
      number.writeBigUInt64LE(BigInt(edit.value));
      bytes.set(number.subarray(0, Math.min(size, bytes.length - start)), start);
      return { bytes, place: start };
    }
    case 'copy': {
      const from = Math.floor(edit.from * bytes.length);
      bytes.copyWithin(at, from, from + edit.size);
      return { bytes, place: null };
    }
    case 'insert': {
      const from = Math.floor(edit.from * bytes.length);
      const piece = bytes.slice(from, from + edit.size);
      return { bytes: Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]), place: null };
    }
    case 'remove':
      return { bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + edit.size)]), place: null };
  }
}

/**
 * Copies of the files with one to four changes: changed bytes, hostile numbers, pieces copied, inserted or removed, and
 * truncation to any length.
 */
export function mutants(bases: readonly Uint8Array[]): fc.Arbitrary<Mutant> {
  const edits = fc.oneof(
    { weight: 6, arbitrary: fc.array(overwriting, { minLength: 1, maxLength: 4 }) },
    { weight: 1, arbitrary: fc.array(fc.oneof(overwriting, moving), { minLength: 1, maxLength: 3 }) },
  );
  const cut = fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: place });
  return fc.tuple(fc.nat(bases.length - 1), edits, cut).map(([base, list, end]): Mutant => {
    let bytes: Uint8Array = Uint8Array.from(bases[base]!);
    let places: number[] | null = [];
    for (const edit of list) {
      if (bytes.length === 0) break;
      const edited = applyEdit(bytes, edit);
      bytes = edited.bytes;
      if (edited.place === null) places = null;
      else places?.push(edited.place);
    }
    if (end === null) return { base, bytes: Uint8Array.from(bytes), places };
    return { base, bytes: bytes.slice(0, Math.floor(end * bytes.length)), places: null };
  });
}
