import { measureStep, measureWasmStep } from './learning-measurement.js';

// One measurement of the training step, `float32`, `bfloat16` or `wasm`, as JSON: TensorFlow has one precision and one
// backend a process.
const what = process.argv[2];
const result =
  what === 'wasm' ? await measureWasmStep() : measureStep(what === 'bfloat16' ? what : 'float32');
process.stdout.write(`${JSON.stringify(result)}\n`);
