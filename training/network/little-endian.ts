/** Arrays of numbers that model files contain. */
export type LittleEndianArray = Float32Array | Int32Array | BigInt64Array | Int8Array | Uint8Array;

/** Decodes the float32 numbers in bytes of `littleEndian`; ignores an incomplete last one. */
export function decodeFloats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, i) =>
    view.getFloat32(i * 4, true),
  );
}

/** Encodes the numbers in order, as little-endian bytes on every machine. */
export function littleEndian(...arrays: readonly LittleEndianArray[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const array of arrays) {
    for (let i = 0; i < array.length; i++, offset += array.BYTES_PER_ELEMENT) {
      if (array instanceof Float32Array) view.setFloat32(offset, array[i]!, true);
      else if (array instanceof Int32Array) view.setInt32(offset, array[i]!, true);
      else if (array instanceof BigInt64Array) view.setBigInt64(offset, array[i]!, true);
      else view.setUint8(offset, array[i]!);
    }
  }
  return bytes;
}
