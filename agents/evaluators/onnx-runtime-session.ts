import { AgentError } from '../agent-error.js';
import {
  ANY_LENGTH,
  type InferenceSession,
  type InputTensor,
  type TensorShapes,
} from './inference-session.js';
import { errorText } from '../../env/text/error-text.js';

/**
 * ONNX Runtime's level for fatal messages only: errors are thrown, and its log would print the model's names unescaped.
 */
export const LOG_FATAL = 4;

/** An input or output, as ONNX Runtime describes it. */
interface RuntimeValue {
  readonly name: string;
  readonly isTensor: boolean;
  readonly shape?: readonly (number | string)[];
}

/** The part of ONNX Runtime's session that is used; `Tensor` is its class of tensors. */
interface RuntimeSession<Tensor> {
  readonly inputMetadata: readonly RuntimeValue[];
  readonly outputMetadata: readonly RuntimeValue[];
  run(feeds: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, RuntimeOutput>>>;
  release(): Promise<void>;
}

/** A tensor that ONNX Runtime returns. */
interface RuntimeOutput {
  readonly type: string;
  readonly data: unknown;
}

/** ONNX Runtime's class of tensors. */
interface TensorClass<Tensor> {
  new (type: 'float32', data: Float32Array, shape: readonly number[]): Tensor;
  new (type: 'int32', data: Int32Array, shape: readonly number[]): Tensor;
}

/** Options of a session: its processor, and how it works. */
interface SessionOptions {
  readonly executionProviders: readonly ('cpu' | 'wasm')[];
  readonly graphOptimizationLevel: 'all' | 'disabled';
  readonly intraOpNumThreads?: number;
  readonly interOpNumThreads?: number;
}

/** The part of ONNX Runtime that is used. */
interface OnnxRuntime<Tensor> {
  readonly InferenceSession: {
    create(
      bytes: Uint8Array,
      options: SessionOptions & { readonly logSeverityLevel: typeof LOG_FATAL },
    ): Promise<RuntimeSession<Tensor>>;
  };
  readonly Tensor: TensorClass<Tensor>;
}

function shapesOf(values: readonly RuntimeValue[]): TensorShapes {
  return new Map(
    values.flatMap(({ name, isTensor, shape = [] }) =>
      isTensor ? [[name, shape.map((length) => (typeof length === 'number' ? length : ANY_LENGTH))]] : [],
    ),
  );
}

/** The error of a model that ONNX Runtime cannot open or run; `cause` is what it threw. */
export function unreadableModel(source: string, reason: string, cause?: unknown): AgentError {
  return new AgentError(
    'model-unreadable',
    `expected an ONNX model of this program in ${source}: ${reason}`,
    {
      cause,
    },
  );
}

/** The `InferenceSession` of ONNX Runtime, for Node or for browsers. */
class OnnxRuntimeSession<Tensor> implements InferenceSession {
  readonly source: string;
  readonly inputs: TensorShapes;
  readonly outputs: TensorShapes;
  private readonly session: RuntimeSession<Tensor>;
  private readonly tensorClass: TensorClass<Tensor>;

  /**
   * @param session released by `dispose`.
   * @param source of the model, for error messages.
   */
  constructor(session: RuntimeSession<Tensor>, tensorClass: TensorClass<Tensor>, source: string) {
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
      throw unreadableModel(this.source, errorText(cause), cause);
    });
    return new Map(
      Object.entries(outputs).map(([name, { data, type }]) => {
        if (data instanceof Float32Array) return [name, data];
        throw unreadableModel(this.source, `its output '${name}' is ${type}, not float32`);
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
 * Opens an ONNX model with ONNX Runtime.
 *
 * @param model its bytes, and their origin for error messages.
 * @throws AgentError `model-unreadable`.
 */
export async function openSession<Tensor>(
  runtime: OnnxRuntime<Tensor>,
  { bytes, source }: { readonly bytes: Uint8Array; readonly source: string },
  options: SessionOptions,
): Promise<InferenceSession> {
  try {
    const session = await runtime.InferenceSession.create(bytes, { ...options, logSeverityLevel: LOG_FATAL });
    return new OnnxRuntimeSession(session, runtime.Tensor, source);
  } catch (cause) {
    throw unreadableModel(source, errorText(cause), cause);
  }
}
