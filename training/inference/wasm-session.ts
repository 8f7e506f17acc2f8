import type * as onnxRuntimeWeb from 'onnxruntime-web';
import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import { openSession, unreadableModel } from '../../agents/evaluators/onnx-runtime-session.js';
import { loadOptional } from '../../env/optional-packages.js';
import { findOnnxProblem } from './onnx-check.js';

/**
 * Loads ONNX Runtime's WebAssembly build, for one thread.
 *
 * @throws PackageError if it is not installed.
 */
export async function loadWasmRuntime(): Promise<typeof onnxRuntimeWeb> {
  const runtime = await loadOptional('onnxruntime-web', () => import('onnxruntime-web'));
  runtime.env.wasm.numThreads = 1;
  return runtime;
}

/**
 * Opens an ONNX model with ONNX Runtime's WebAssembly build in Node, on one thread. Results have the same bits on every
 * processor, and take about five times as long as those of `openOnnxModel`.
 *
 * @param source origin of the bytes, for error messages.
 * @throws PackageError if ONNX Runtime's WebAssembly build is not installed; AgentError `model-unreadable` as
 *   `openOnnxModel`.
 */
export async function openWasmModel(bytes: Uint8Array, source: string): Promise<InferenceSession> {
  const problem = findOnnxProblem(bytes);
  if (problem !== null) throw unreadableModel(source, problem);
  const runtime = await loadWasmRuntime();
  return openSession(
    runtime,
    { bytes, source },
    { executionProviders: ['wasm'], graphOptimizationLevel: 'all' },
  );
}
