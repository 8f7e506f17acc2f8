import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TrainBenchResult } from './learning-speed.js';
import { measureLearning, measureStep } from './learning-measurement.js';

const PROCESS = fileURLToPath(new URL('./learning-process.js', import.meta.url));

/** Results of the train section of `gess bench`: samples per second; shares and ratios come from one run. */
export interface TrainRates {
  /** Bare training step in float32: 32 channels, 4 blocks, batch 256, 2 threads. */
  readonly samplesPerSecond: number;
  /** The same with bfloat16 products, in a process of its own. */
  readonly bfloat16SamplesPerSecond: number;
  readonly bfloat16ToFloat32: number;
  /** The step on WebAssembly, one thread, batch 32, in a process of its own. */
  readonly wasmSamplesPerSecond: number;
  readonly nativeToWasm: number;
  /** Processor time of a sample on WebAssembly over that on native TensorFlow, all threads counted. */
  readonly wasmToNativeProcessorTime: number;
  /** Learning from shards of careful games: reading, decoding and symmetry transforms of rows, and the step. */
  readonly learnSamplesPerSecond: number;
  /** The same relative to the bare step on a batch of the same rows, measured alternately. */
  readonly learnToBare: number;
  /** Share of learning's time in which TensorFlow waits for the next batch. */
  readonly preparationShare: number;
}

async function measureApart(what: 'bfloat16' | 'wasm'): Promise<TrainBenchResult> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROCESS, what]);
  return JSON.parse(stdout) as TrainBenchResult;
}

/** Measures training of Gess's network. */
export async function benchTrain(): Promise<TrainRates> {
  const float32 = measureStep('float32');
  const bfloat16 = await measureApart('bfloat16');
  const wasm = await measureApart('wasm');
  const learning = await measureLearning('float32');
  const ratio = (a: number, b: number): number => Math.round((a / b) * 100) / 100;
  return {
    samplesPerSecond: Math.round(float32.samplesPerSecond),
    bfloat16SamplesPerSecond: Math.round(bfloat16.samplesPerSecond),
    bfloat16ToFloat32: ratio(bfloat16.samplesPerSecond, float32.samplesPerSecond),
    wasmSamplesPerSecond: Math.round(wasm.samplesPerSecond),
    nativeToWasm: ratio(float32.samplesPerSecond, wasm.samplesPerSecond),
    wasmToNativeProcessorTime: ratio(wasm.processorSecondsPerSample, float32.processorSecondsPerSample),
    learnSamplesPerSecond: Math.round(learning.samplesPerSecond),
    learnToBare: ratio(learning.samplesPerSecond, learning.bareSamplesPerSecond),
    preparationShare: Math.round(learning.preparationShare * 1000) / 1000,
  };
}
