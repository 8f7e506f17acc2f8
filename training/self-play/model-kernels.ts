import { openModelFile, openPortableModel } from '../export/model-file.js';
import { usePortableMath } from './portable-math.js';

/** Opens a model with the instructions of this processor, or with WebAssembly, whose bits are the same on every machine. */
export const MODEL_OPENERS = { native: openModelFile, portable: openPortableModel } as const;

/** The instructions with which a network is evaluated. */
export type Kernels = keyof typeof MODEL_OPENERS;

/**
 * Calls `run` with an opener of models that uses these kernels. With the portable ones, the functions of `Math` are
 * portable meanwhile, too: nothing else may play in this process.
 */
export async function withKernels<Result>(
  kernels: Kernels,
  run: (openModel: typeof openModelFile) => Promise<Result>,
): Promise<Result> {
  const restore = kernels === 'portable' ? usePortableMath() : null;
  try {
    return await run(MODEL_OPENERS[kernels]);
  } finally {
    restore?.();
  }
}
