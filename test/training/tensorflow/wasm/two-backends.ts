import { NATIVE_BACKEND, WASM_BACKEND } from '../../../../training/tensorflow/backend-names.js';
import { loadTensorflow, type Tensorflow } from '../../../../training/tensorflow/tensorflow.js';
import { loadWasmTensorflow } from '../../../../training/tensorflow/wasm/loading.js';

const native = loadTensorflow({ threads: 2 });
const wasm = await loadWasmTensorflow();

/** The results of `compute` on native TensorFlow and on WebAssembly, in one process. */
export async function onBoth<T>(compute: (tf: Tensorflow) => T | Promise<T>): Promise<[native: T, wasm: T]> {
  await native.setBackend(NATIVE_BACKEND);
  const first = await compute(native);
  await wasm.setBackend(WASM_BACKEND);
  const second = await compute(wasm);
  return [first, second];
}

/** Greatest difference between two arrays of the same length, relative to the greatest element. */
export function relativeDifference(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) return Infinity;
  let [difference, scale] = [0, 0];
  a.forEach((value, i) => {
    difference = Math.max(difference, Math.abs(value - b[i]!));
    scale = Math.max(scale, Math.abs(value));
  });
  return scale > 0 ? difference / scale : difference;
}
