import { Option } from 'commander';
import { BACKENDS, type BackendChoice } from '../../training/tensorflow/backend.js';

/** What `backendOption` adds to a command's options. */
export interface BackendOptions {
  readonly backend: BackendChoice;
}

/** `--backend`: what runs TensorFlow. */
export function backendOption(): Option {
  return new Option(
    '--backend <name>',
    'what runs TensorFlow: its native library, WebAssembly, or the first of them that is there',
  )
    .choices(['auto', ...BACKENDS])
    .default('auto');
}
