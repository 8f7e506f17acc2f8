import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { installCommand, type OptionalPackage } from '../../env/optional-packages.js';
import { isInstalled, notInstalled, softwareVersion, versionOf } from '../software-version.js';
import { TrainingError } from '../training-error.js';
import { ONNX_RUNTIME_VARIABLES } from '../inference/onnx-session.js';
import type { Backend } from './backend.js';
import { SETUP_COMMAND } from './tensorflow.js';
import { TENSORFLOW_PACKAGES, WASM_PACKAGES } from './tensorflow-packages.js';
import {
  bindingLink,
  expectTrustedBinding,
  installedSources,
  type BindingSources,
} from './native/binding.js';
import { cacheFolder } from './native/cache-folder.js';
import {
  cpuFeatures,
  currentPlatform,
  formatPlatform,
  isSupported,
  type CpuFeatures,
} from './native/platform.js';
import { probeBinding, probeModule, probeWasm, type ProbeResult } from './native/probe.js';
import { folderBytes } from './native/sealed-folder.js';
import { findCompiler, findPip, findPython } from './native/toolchain.js';

/** A missing prerequisite. */
export interface Lack {
  readonly what: string;
  /** A command or an instruction that provides it. */
  readonly remedy: string;
}

/** The prerequisites found and missing on this machine; each one was tried. */
export interface Diagnosis {
  /** Versions; null: missing. */
  readonly versions: {
    readonly gess: string;
    readonly node: string;
    readonly tfjsNode: string | null;
    readonly tensorflow: string | null;
    /** Version of TensorFlow.js on WebAssembly. */
    readonly wasm: string | null;
    readonly onnxruntime: string | null;
    readonly python: string | null;
    readonly pip: string | null;
    readonly compiler: string | null;
  };
  readonly platform: string;
  /** The backend that training uses, loaded and tried; `missing` if neither works. */
  readonly backend: Backend | 'missing';
  /** Number of hardware threads. */
  readonly threads: number;
  readonly cpuFeatures: CpuFeatures | null;
  readonly cache: { readonly folder: string; readonly bytes: number };
  /** Missing prerequisites. Python, pip and the compiler are only required while TensorFlow is not set up. */
  readonly lacks: readonly Lack[];
}

const OLDEST_NODE = [20, 19] as const;

/** Tries packages; missing ones are the reason why they do not work. */
function tryPackages(
  names: readonly OptionalPackage[],
  probe: () => Promise<ProbeResult>,
): Promise<ProbeResult> | ProbeResult {
  const missing = notInstalled(names);
  return missing.length === 0 ? probe() : { works: false, reason: `not installed: ${missing.join(', ')}` };
}

function lacksOfNode(): Lack[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  if (!isOld) return [];
  const oldest = OLDEST_NODE.join('.');
  return [
    {
      what: `Node ${process.versions.node} is older than ${oldest}`,
      remedy: `install Node ${oldest} or newer`,
    },
  ];
}

function lacksOfOnnxRuntime(result: ProbeResult): Lack[] {
  if (result.works) return [];
  const missing = notInstalled(['onnxruntime-node']);
  const remedy = missing.length > 0 ? installCommand(missing) : 'npm ci';
  const price = 'tree search and policies cannot use a network (alpha-beta with the pattern network can)';
  return [{ what: `ONNX Runtime does not load (${result.reason}): ${price}`, remedy }];
}

function lacksOfTensorflow(result: ProbeResult, versions: Diagnosis['versions']): Lack[] {
  if (result.works) return [];
  const price = versions.wasm === null ? 'no training' : 'training runs on WebAssembly, far slower';
  const what = `native TensorFlow does not run (${result.reason}): ${price}`;
  const missing = notInstalled(TENSORFLOW_PACKAGES);
  if (missing.length > 0) return [{ what, remedy: installCommand(missing) }];
  const platform = currentPlatform();
  if (!isSupported(platform)) {
    return [{ what, remedy: `linux x64 with glibc: ${formatPlatform(platform)} is not supported yet` }];
  }
  const lacks: Lack[] = [];
  if (versions.pip === null) {
    lacks.push({ what: 'Python 3 with pip is missing', remedy: 'on Debian: apt-get install python3-pip' });
  }
  if (versions.compiler === null) {
    lacks.push({ what: 'a C++ compiler is missing', remedy: 'on Debian: apt-get install g++' });
  }
  return [...lacks, { what, remedy: SETUP_COMMAND }];
}

/** Tries the package's binding, unless other users could have changed it. */
async function tryBinding(sources = installedSources()): Promise<ProbeResult> {
  try {
    expectTrustedBinding(sources.packageFolder);
  } catch (error) {
    if (!(error instanceof TrainingError)) throw error;
    return { works: false, reason: error.message };
  }
  return probeBinding(bindingLink(sources));
}

function probeOnnxRuntime(): Promise<ProbeResult> {
  return probeModule(createRequire(import.meta.url).resolve('onnxruntime-node'), ONNX_RUNTIME_VARIABLES);
}

/** Settings of a diagnosis. */
export interface DiagnosisOptions {
  /** Environment variables that locate the cache and the tools; by default those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** By default `installedSources()`. */
  readonly sources?: BindingSources;
}

async function toolVersions(
  env: NodeJS.ProcessEnv,
): Promise<Record<'python' | 'pip' | 'compiler', string | null>> {
  const [python, pip, compiler] = await Promise.all([findPython(env), findPip(env), findCompiler(env)]);
  return {
    python: python?.version.replace(/^Python /, '') ?? null,
    pip: pip === null ? null : (/^pip (\S+)/.exec(pip.version)?.[1] ?? pip.version),
    compiler: compiler?.version ?? null,
  };
}

/** Diagnoses this machine. Takes about a second, since it loads the native libraries in separate processes. */
export async function diagnose(options: DiagnosisOptions = {}): Promise<Diagnosis> {
  const { env = process.env, sources } = options;
  const folder = cacheFolder(env);
  const [tensorflow, wasm, onnxruntime, tools, bytes] = await Promise.all([
    tryPackages(TENSORFLOW_PACKAGES, () => tryBinding(sources)),
    tryPackages(WASM_PACKAGES, probeWasm),
    tryPackages(['onnxruntime-node'], probeOnnxRuntime),
    toolVersions(env),
    folderBytes(folder),
  ]);
  const versions = {
    gess: softwareVersion(),
    node: process.versions.node,
    tfjsNode: isInstalled('@tensorflow/tfjs-node') ? versionOf('@tensorflow/tfjs-node') : null,
    tensorflow: tensorflow.works ? tensorflow.answer : null,
    wasm: wasm.works ? wasm.answer : null,
    onnxruntime: onnxruntime.works ? versionOf('onnxruntime-node') : null,
    ...tools,
  };
  return {
    versions,
    platform: formatPlatform(currentPlatform()),
    backend: tensorflow.works ? 'native' : wasm.works ? 'wasm' : 'missing',
    threads: availableParallelism(),
    cpuFeatures: cpuFeatures(),
    cache: { folder, bytes },
    lacks: [...lacksOfNode(), ...lacksOfOnnxRuntime(onnxruntime), ...lacksOfTensorflow(tensorflow, versions)],
  };
}
