import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { readInput } from '../../data/files/input-file.js';

/**
 * A model with its nodes fused as ONNX Runtime would fuse them whenever the page is opened. Only optimizations that do
 * not depend on the processor: the page's runtime applies the others.
 *
 * @returns a model with the same outputs, bit for bit.
 */
export async function optimizedModel(bytes: Uint8Array): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'gess-page-'));
  const file = join(folder, 'model.onnx');
  try {
    const session = await InferenceSession.create(bytes, {
      graphOptimizationLevel: 'extended',
      optimizedModelFilePath: file,
    });
    await session.release();
    return await readInput(file, 'model');
  } finally {
    await rm(folder, { recursive: true });
  }
}
