import { TENSORFLOW_WHEEL } from '../tensorflow/native/wheel.js';
import { softwareVersion, versionOf } from '../software-version.js';

/** Versions, by name, of the software that can change the last bits of a run, for `run.json`. */
export function runVersions(): Readonly<Record<string, string>> {
  return {
    'gess-zero': softwareVersion(),
    node: process.versions.node,
    '@tensorflow/tfjs': versionOf('@tensorflow/tfjs'),
    [TENSORFLOW_WHEEL.name]: TENSORFLOW_WHEEL.version,
    'onnxruntime-node': versionOf('onnxruntime-node'),
  };
}
