import * as ort from 'onnxruntime-web/wasm';
import runtimeModule from 'onnxruntime-web/ort-wasm-simd-threaded.mjs?url';
import runtimeBinary from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import type { InferenceSession } from '../../agents/evaluators/inference-session.js';
import { openSession } from '../../agents/evaluators/onnx-runtime-session.js';
import { nextTask } from '../../agents/next-task.js';

ort.env.wasm.wasmPaths = {
  mjs: new URL(runtimeModule, import.meta.url).href,
  wasm: new URL(runtimeBinary, import.meta.url).href,
};
// Two threads are slower for networks of this size, and hang on iOS.
ort.env.wasm.numThreads = 1;

/** Loads and compiles the runtime ahead of the first model, and starts it. */
export async function startRuntime(): Promise<void> {
  // It has no function of its own for this: the session of no model starts it, then fails.
  await ort.InferenceSession.create(new Uint8Array()).catch(() => undefined);
}

/**
 * Opens an ONNX model with ONNX Runtime's WebAssembly, on one thread. Its results have the same bits on every
 * processor.
 *
 * @param optimizations of the graph: `disabled` for a model of `training/export/page/`, which has them already.
 * @throws AgentError `model-unreadable`.
 */
export async function openWebModel(
  bytes: Uint8Array,
  source: string,
  optimizations: 'all' | 'disabled' = 'all',
): Promise<InferenceSession> {
  const { InferenceSession, Tensor } = ort;
  const session = await openSession(
    { InferenceSession, Tensor },
    { bytes, source },
    { executionProviders: ['wasm'], graphOptimizationLevel: optimizations },
  );
  return breathing(session);
}

/**
 * A session that lets the worker receive messages after each run: with ONNX Runtime's promises alone, messages would
 * wait until the end of a search.
 */
function breathing(session: InferenceSession): InferenceSession {
  return {
    source: session.source,
    inputs: session.inputs,
    outputs: session.outputs,
    run: async (inputs) => {
      const outputs = await session.run(inputs);
      await nextTask();
      return outputs;
    },
    dispose: () => session.dispose(),
  };
}

/** Version of ONNX Runtime's WebAssembly. */
export function runtimeVersion(): string {
  return ort.env.versions.web ?? ort.env.versions.common;
}
