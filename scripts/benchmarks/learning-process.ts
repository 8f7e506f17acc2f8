import { measureStep, measureWasmStep } from './learning-measurement.js';

// Measures the training step in `float32`, `bfloat16` or `wasm` and prints JSON: a process can use only one TensorFlow
// precision and backend.
const what = process.argv[2];
const result =
  what === 'wasm' ? await measureWasmStep() : measureStep(what === 'bfloat16' ? what : 'float32');
process.stdout.write(`${JSON.stringify(result)}\n`);
