import { createRequire } from 'node:module';
import { lastLines, runCommand } from './toolchain.js';

/** Squares a tensor with the bare binding, without the rest of TensorFlow.js, and prints the library's version. */
const SQUARE = `
  const binding = require(process.argv[1]);
  const three = binding.createTensor([1], binding.TF_FLOAT, new Float32Array([3]));
  const type = { name: 'T', type: binding.TF_ATTR_TYPE, value: binding.TF_FLOAT };
  const [nine] = binding.executeOp('Square', [type], [three], 1);
  if (binding.tensorDataSync(nine.id)[0] !== 9) throw new Error('3 * 3 is not 9');
  process.stdout.write(binding.TF_Version);
`;

/** Squares a tensor with TensorFlow.js on WebAssembly and prints its version. */
const SQUARE_ON_WASM = `
  const tf = require(process.argv[1]);
  require(process.argv[2]);
  tf.setBackend('wasm').then((isReady) => {
    if (!isReady) throw new Error('it does not start');
    if (tf.square(3).dataSync()[0] !== 9) throw new Error('3 * 3 is not 9');
    process.stdout.write(tf.version.tfjs);
  });
`;

/** Loads a module and prints nothing. */
const LOAD = 'require(process.argv[1])';

/** The result of trying a module. */
export type ProbeResult =
  { readonly works: true; readonly answer: string } | { readonly works: false; readonly reason: string };

/** @param variables set in addition to those of this process. */
async function probe(
  script: string,
  paths: readonly string[],
  variables: Readonly<Record<string, string>> = { TF_CPP_MIN_LOG_LEVEL: '2' },
): Promise<ProbeResult> {
  const env = { ...process.env, ...variables };
  const result = await runCommand([process.execPath], ['--eval', script, ...paths], env);
  if (result === null) return { works: false, reason: `cannot start ${process.execPath}` };
  const { exitCode, signal, stdout, output } = result;
  if (exitCode === 0) return { works: true, answer: stdout };
  if (signal !== null) return { works: false, reason: `ended by ${signal}` };
  return { works: false, reason: /^\w*Error: .*$/m.exec(output)?.[0] ?? lastLines(output, 3) };
}

/**
 * Tries a binding in a separate process, since it may crash: loads the library and computes with it.
 *
 * @returns `answer` is TensorFlow's version.
 */
export function probeBinding(path: string): Promise<ProbeResult> {
  return probe(SQUARE, [path]);
}

/** Tries TensorFlow.js on WebAssembly in a separate process; `answer` is its version. */
export function probeWasm(): Promise<ProbeResult> {
  const { resolve } = createRequire(import.meta.url);
  return probe(SQUARE_ON_WASM, [resolve('@tensorflow/tfjs'), resolve('@tensorflow/tfjs-backend-wasm')]);
}

/**
 * Tries to load a module with native code, in a separate process.
 *
 * @param variables that the module's loader would set.
 */
export function probeModule(path: string, variables: Readonly<Record<string, string>>): Promise<ProbeResult> {
  return probe(LOAD, [path], variables);
}
