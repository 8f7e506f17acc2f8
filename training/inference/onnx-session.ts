import type * as onnxRuntime from 'onnxruntime-node';
import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import { openSession, unreadableModel } from '../../agents/evaluators/onnx-runtime-session.js';
import { loadOptional } from '../../env/optional-packages.js';
import { findOnnxProblem } from './onnx-check.js';

/**
 * Environment variables that every process sets before it loads ONNX Runtime. With telemetry, ONNX Runtime 1.30 writes
 * a database and an identifier of the machine to `~/.cache/Microsoft/DeveloperTools/`, and a log with a predictable
 * name to the folder for temporary files.
 */
export const ONNX_RUNTIME_VARIABLES = { ORT_DISABLE_TELEMETRY: '1' } as const;

/**
 * Loads ONNX Runtime without telemetry; no other code loads it. Worker threads cannot set the process's environment
 * variables: a program that opens models in one must set `ONNX_RUNTIME_VARIABLES` in its main thread.
 *
 * @throws PackageError if ONNX Runtime is not installed.
 */
export function loadOnnxRuntime(): Promise<typeof onnxRuntime> {
  Object.assign(process.env, ONNX_RUNTIME_VARIABLES);
  return loadOptional('onnxruntime-node', () => import('onnxruntime-node'));
}

/**
 * Opens an ONNX model with ONNX Runtime on the CPU, on the calling thread only, so that the result for a position does
 * not depend on the rest of its batch. The first call loads ONNX Runtime.
 *
 * @param source origin of the bytes, for error messages.
 * @throws PackageError if ONNX Runtime is not installed; AgentError `model-unreadable` if the bytes are damaged or not
 *   an ONNX model of the kind that this program writes (onnx-check.ts). `run` throws it too, for any error of ONNX
 *   Runtime.
 */
export async function openOnnxModel(
  bytes: Uint8Array,
  source = `${bytes.length} bytes`,
): Promise<InferenceSession> {
  const problem = findOnnxProblem(bytes);
  if (problem !== null) throw unreadableModel(source, problem);
  const runtime = await loadOnnxRuntime();
  return openSession(
    runtime,
    { bytes, source },
    {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
    },
  );
}

/**
 * Opens an ONNX model, passes it to `use` and disposes of it.
 *
 * @throws errors of `openOnnxModel` and of `use`.
 */
export async function useOnnxModel<Result>(
  bytes: Uint8Array,
  use: (session: InferenceSession) => Promise<Result>,
): Promise<Result> {
  const session = await openOnnxModel(bytes);
  try {
    return await use(session);
  } finally {
    await session.dispose();
  }
}
