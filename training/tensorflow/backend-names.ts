/** TensorFlow.js's name for its native backend. */
export const NATIVE_BACKEND = 'tensorflow';

/** TensorFlow.js's name for its WebAssembly backend. */
export const WASM_BACKEND = 'wasm';
