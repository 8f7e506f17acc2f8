import type { OptionalPackage } from '../../env/optional-packages.js';

/** Packages of TensorFlow.js on WebAssembly. */
export const WASM_PACKAGES = ['@tensorflow/tfjs', '@tensorflow/tfjs-backend-wasm'] as const;

/** Packages that set up and run TensorFlow.js on both backends. */
export const TENSORFLOW_PACKAGES = [
  ...WASM_PACKAGES,
  '@tensorflow/tfjs-node',
  'node-api-headers',
  'yauzl',
] as const satisfies readonly OptionalPackage[];
