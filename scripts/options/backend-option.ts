import { Option } from '@commander-js/extra-typings';
import { BACKENDS } from '../../training/tensorflow/backend.js';

/** `--backend`: the implementation of TensorFlow. */
export const backendOption = new Option(
  '--backend <name>',
  'implementation of TensorFlow: native (its C library), wasm (WebAssembly), or auto: native if it is set up, else wasm',
)
  .choices(['auto', ...BACKENDS] as const)
  .default('auto');
