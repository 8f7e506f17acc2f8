import type { Game } from '../../env/game.js';
import type { PlayOptions, Precision } from '../play-options.js';

/** Marks an axis of any length in the shape of a model's input or output. */
export const ANY_LENGTH = -1;

/** Most positions in one run of a model. */
export const MAX_BATCH = 1024;

/** Numbers in row-major order and their shape: `Float32Array` is float32, `Int32Array` is int32. */
export interface InputTensor {
  readonly data: Float32Array | Int32Array;
  readonly shape: readonly number[];
}

/** Shapes by the name of an input or output; `ANY_LENGTH` for an axis of any length. */
export type TensorShapes = ReadonlyMap<string, readonly number[]>;

/**
 * A loaded model and its runtime. Agents know only this interface, so that they run in Node and in browsers.
 * `training/inference/onnx-session.ts` implements it with ONNX Runtime for Node.
 */
export interface InferenceSession {
  /** Source of the model, for error messages: `'models/gess/model-legal.onnx'`, `1024 bytes`. */
  readonly source: string;
  readonly inputs: TensorShapes;
  readonly outputs: TensorShapes;
  /** Options with which the model plays best; absent if it has no specification. */
  readonly playOptions?: PlayOptions;
  /**
   * Runs the model once.
   *
   * @param inputs by name; read before the promise resolves; the caller may change them afterwards.
   * @returns all outputs by name, float32 in row-major order; owned by the caller.
   */
  run(inputs: Readonly<Record<string, InputTensor>>): Promise<ReadonlyMap<string, Float32Array>>;
  /** Frees the model. No `run` may be pending or follow. */
  dispose(): Promise<void>;
}

/**
 * Opens the model named in an agent's text, for a game. The caller disposes of the session.
 *
 * @param path as written in the text: a file's path, a URL, a name.
 * @param precision as written in the text; undefined: that of the model's specification, or the default.
 * @param isTimed whether the agent plays within a time limit: int8 is the default where the model has it, not float32.
 * @throws AgentError `model-missing`, `model-unreadable`, `model-mismatch`; errors of its own.
 */
export type ModelOpener = (
  path: string,
  game: Game<unknown>,
  precision?: Precision,
  isTimed?: boolean,
) => Promise<InferenceSession>;
