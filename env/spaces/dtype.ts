/** The typed array of each element type. */
export interface DtypeArrays {
  readonly float32: Float32Array;
  readonly float64: Float64Array;
  readonly int8: Int8Array;
  readonly uint8: Uint8Array;
  readonly int16: Int16Array;
  readonly uint16: Uint16Array;
  readonly int32: Int32Array;
  readonly uint32: Uint32Array;
}

/** A type of array elements, by NumPy's name. No 64-bit integers: a number cannot hold them all. */
export type Dtype = keyof DtypeArrays;

/** The typed array with elements of type `D`. */
export type ArrayOf<D extends Dtype> = DtypeArrays[D];

/** A typed array of any element type of a space. */
export type NumberArray = ArrayOf<Dtype>;

/** Facts about an element type. */
export interface DtypeFacts {
  readonly array: new (length: number) => NumberArray;
  /** The smallest finite value. */
  readonly min: number;
  readonly max: number;
  readonly isInteger: boolean;
}

const MAX_FLOAT32 = 2 ** 128 - 2 ** 104;

/** All element types. `commonDtype` tries the integer types in this order. */
export const DTYPES: Readonly<Record<Dtype, DtypeFacts>> = {
  float32: { array: Float32Array, min: -MAX_FLOAT32, max: MAX_FLOAT32, isInteger: false },
  float64: { array: Float64Array, min: -Number.MAX_VALUE, max: Number.MAX_VALUE, isInteger: false },
  uint8: { array: Uint8Array, min: 0, max: 2 ** 8 - 1, isInteger: true },
  int8: { array: Int8Array, min: -(2 ** 7), max: 2 ** 7 - 1, isInteger: true },
  uint16: { array: Uint16Array, min: 0, max: 2 ** 16 - 1, isInteger: true },
  int16: { array: Int16Array, min: -(2 ** 15), max: 2 ** 15 - 1, isInteger: true },
  uint32: { array: Uint32Array, min: 0, max: 2 ** 32 - 1, isInteger: true },
  int32: { array: Int32Array, min: -(2 ** 31), max: 2 ** 31 - 1, isInteger: true },
};

/** The names of all element types. */
export const DTYPE_NAMES = Object.keys(DTYPES) as readonly Dtype[];

/** An array of zeros. */
export function createArray<D extends Dtype>(dtype: D, length: number): ArrayOf<D> {
  return new DTYPES[dtype].array(length) as ArrayOf<D>;
}

/** `float32` represents every integer up to this one. */
const MAX_FLOAT32_INTEGER = 2 ** 24;

/**
 * The smallest element type that represents all values of the given types exactly. As NumPy's `result_type`,
 * with `float64` in place of 64-bit integers.
 */
export function commonDtype(dtypes: readonly Dtype[]): Dtype {
  const facts = dtypes.map((dtype) => DTYPES[dtype]);
  const integers = facts.filter(({ isInteger }) => isInteger);
  const min = Math.min(...integers.map((fact) => fact.min));
  const max = Math.max(...integers.map((fact) => fact.max));
  if (integers.length === facts.length) {
    return DTYPE_NAMES.find((name) => isWithin(min, max, DTYPES[name])) ?? 'float64';
  }
  const isDouble = dtypes.includes('float64') || max > MAX_FLOAT32_INTEGER;
  return isDouble ? 'float64' : 'float32';
}

function isWithin(min: number, max: number, facts: DtypeFacts): boolean {
  return facts.isInteger && facts.min <= min && max <= facts.max;
}
