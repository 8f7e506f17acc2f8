import { join } from 'node:path';
import { LOG_FATAL, unreadableModel } from '../../../agents/evaluators/onnx-runtime-session.js';
import { readInput } from '../../../data/files/input-file.js';
import { withTemporaryFolder } from '../../../data/files/unfinished-paths.js';
import { loadOnnxRuntime } from '../../inference/onnx-session.js';
import { errorText } from '../../../env/text/error-text.js';

/**
 * A model with its nodes fused as ONNX Runtime would fuse them whenever the page is opened, so that the page does not
 * spend its time on it. Optimizations that depend on the processor are left out: WebAssembly has none.
 *
 * @param source of the bytes, for messages.
 * @returns a model with the same outputs, bit for bit.
 * @throws PackageError if ONNX Runtime is not installed; AgentError `model-unreadable`.
 */
export async function optimizedModel(bytes: Uint8Array, source: string): Promise<Uint8Array> {
  const { InferenceSession } = await loadOnnxRuntime();
  return withTemporaryFolder('gess-page-', async (folder) => {
    const file = join(folder, 'model.onnx');
    try {
      const session = await InferenceSession.create(bytes, {
        graphOptimizationLevel: 'extended',
        optimizedModelFilePath: file,
        logSeverityLevel: LOG_FATAL,
      });
      await session.release();
      return await readInput(file, 'model');
    } catch (cause) {
      throw unreadableModel(source, errorText(cause), cause);
    }
  });
}
