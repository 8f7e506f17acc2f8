import { measureStep } from './learning-measurement.js';

// A process of learning-benchmark.ts: TensorFlow has one precision a process.
process.send!(measureStep('bfloat16'));
