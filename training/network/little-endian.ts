/** The numbers one after the other, 4 bytes each, little-endian on every machine. */
export function littleEndian(...arrays: readonly (Float32Array | Int32Array)[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(arrays.reduce((sum, { length }) => sum + length, 0) * 4);
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const array of arrays) {
    const isFloat = array instanceof Float32Array;
    for (const value of array) {
      if (isFloat) view.setFloat32(offset, value, true);
      else view.setInt32(offset, value, true);
      offset += 4;
    }
  }
  return bytes;
}
