import { expect } from 'vitest';

function bytesOf(value: ArrayBufferView): Uint8Array {
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
}

/**
 * Whether two values are typed arrays of one kind with the same bytes; undefined, for Vitest to decide, if they are
 * not. Vitest alone compares element by element, which takes seconds for the files of a network.
 */
function haveEqualBytes(left: unknown, right: unknown): true | undefined {
  if (!ArrayBuffer.isView(left) || !ArrayBuffer.isView(right)) return undefined;
  const isOneKind = Object.getPrototypeOf(left) === Object.getPrototypeOf(right);
  return isOneKind && Buffer.compare(bytesOf(left), bytesOf(right)) === 0 ? true : undefined;
}

// A module, unlike a set-up file, is loaded once a process.
expect.addEqualityTesters([haveEqualBytes]);
