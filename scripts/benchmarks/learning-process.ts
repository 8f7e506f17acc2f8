import { measureStep, measureWasmStep } from './learning-measurement.js';

// A process of learning-benchmark.ts: TensorFlow has one precision and one backend a process.
process.send!(process.argv[2] === 'wasm' ? await measureWasmStep() : measureStep('bfloat16'));
