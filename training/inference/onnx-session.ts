import type * as onnxRuntime from 'onnxruntime-node';
import type { InferenceSession as OnnxSession, Tensor } from 'onnxruntime-node';
import { AgentError } from '../../agents/agent-error.js';
import {
  ANY_LENGTH,
  type InferenceSession,
  type InputTensor,
  type TensorShapes,
} from '../../agents/evaluators/inference-session.js';
import { loadOptional } from '../../env/optional-packages.js';
import { findOnnxProblem } from './onnx-check.js';

/** ONNX Runtime's log level for errors. */
const LOG_ERRORS = 3;

/**
 * The variables that every process sets before it loads ONNX Runtime. With its telemetry on, ONNX Runtime 1.30 writes a database
 * and an identifier of the machine to `~/.cache/Microsoft/DeveloperTools/`, and a log with a predictable name to the folder for temporary files.
 */
export const ONNX_RUNTIME_VARIABLES = { ORT_DISABLE_TELEMETRY: '1' } as const;

function shapesOf(metadata: readonly OnnxSession.ValueMetadata[]): TensorShapes {
  return new Map(
    metadata.flatMap((value) =>
      value.isTensor
        ? [[value.name, value.shape.map((length) => (typeof length === 'number' ? length : ANY_LENGTH))]]
        : [],
    ),
  );
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function unreadable(source: string, reason: string, cause?: unknown): AgentError {
  return new AgentError(
    'model-unreadable',
    `expected an ONNX model of this program in ${source}: ${reason}`,
    {
      cause,
    },
  );
}

/** The `InferenceSession` of ONNX Runtime. */
class OnnxInferenceSession implements InferenceSession {
  readonly source: string;
  readonly inputs: TensorShapes;
  readonly outputs: TensorShapes;
  private readonly session: OnnxSession;
  private readonly tensorClass: typeof Tensor;

  constructor(session: OnnxSession, tensorClass: typeof Tensor, source: string) {
    this.session = session;
    this.tensorClass = tensorClass;
    this.source = source;
    this.inputs = shapesOf(session.inputMetadata);
    this.outputs = shapesOf(session.outputMetadata);
  }

  async run(inputs: Readonly<Record<string, InputTensor>>): Promise<ReadonlyMap<string, Float32Array>> {
    const feeds: Record<string, Tensor> = {};
    for (const [name, input] of Object.entries(inputs)) feeds[name] = this.tensorOf(input);
    const outputs = await this.session.run(feeds).catch((cause: unknown) => {
      throw unreadable(this.source, reasonOf(cause), cause);
    });
    return new Map(
      Object.entries(outputs).map(([name, { data, type }]) => {
        if (data instanceof Float32Array) return [name, data];
        throw unreadable(this.source, `its output '${name}' is ${type}, not float32`);
      }),
    );
  }

  async dispose(): Promise<void> {
    await this.session.release();
  }

  private tensorOf({ data, shape }: InputTensor): Tensor {
    return data instanceof Float32Array
      ? new this.tensorClass('float32', data, shape)
      : new this.tensorClass('int32', data, shape);
  }
}

/**
 * Loads ONNX Runtime with its telemetry off; nothing else does. Worker threads cannot set variables of the process: a
 * program that opens models in one sets `ONNX_RUNTIME_VARIABLES` in its main thread.
 *
 * @throws PackageError if ONNX Runtime is not installed.
 */
export function loadOnnxRuntime(): Promise<typeof onnxRuntime> {
  Object.assign(process.env, ONNX_RUNTIME_VARIABLES);
  return loadOptional('onnxruntime-node', () => import('onnxruntime-node'));
}

/**
 * Opens an ONNX model with ONNX Runtime: on the CPU, on one thread, which is the calling one, so that the result for a
 * position does not depend on the rest of its batch. ONNX Runtime is loaded by the first call.
 *
 * @param source origin of the bytes, for error messages.
 * @throws PackageError if ONNX Runtime is not installed; AgentError `model-unreadable` if the bytes are not an ONNX model of
 *   the kind that this program writes (onnx-check.ts), or a damaged one. `run` throws it too, for whatever ONNX Runtime does.
 */
export async function openOnnxModel(
  bytes: Uint8Array,
  source = `${bytes.length} bytes`,
): Promise<InferenceSession> {
  const problem = findOnnxProblem(bytes);
  if (problem !== null) throw unreadable(source, problem);
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  try {
    const session = await InferenceSession.create(bytes, {
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
      logSeverityLevel: LOG_ERRORS,
    });
    return new OnnxInferenceSession(session, Tensor, source);
  } catch (cause) {
    throw unreadable(source, reasonOf(cause), cause);
  }
}
