import { CodedError } from './errors.js';

/** A package that only some features need, and how to install it. */
interface PackageInstall {
  readonly version: string;
  /** Whether the package has an install script, which no feature needs. */
  readonly hasInstallScript?: true;
}

/** The optional peer dependencies of `package.json`, with the versions that the tests run with. */
const OPTIONAL_PACKAGES = {
  '@bufbuild/protobuf': { version: '2.17.0' },
  '@nats-io/jetstream': { version: '3.4.0' },
  '@nats-io/nkeys': { version: '2.0.3' },
  '@nats-io/transport-node': { version: '3.4.0' },
  '@sabaki/sgf': { version: '3.4.7' },
  '@tensorflow/tfjs': { version: '4.22.0' },
  '@tensorflow/tfjs-backend-wasm': { version: '4.22.0' },
  '@tensorflow/tfjs-node': { version: '4.22.0', hasInstallScript: true },
  'apache-arrow': { version: '21.2.0' },
  echarts: { version: '6.1.0' },
  hyparquet: { version: '1.31.5' },
  'hyparquet-writer': { version: '0.17.0' },
  'node-api-headers': { version: '1.9.0' },
  'onnx-buf': { version: '1.20.0-1' },
  'onnxruntime-node': { version: '1.30.0', hasInstallScript: true },
  'onnxruntime-web': { version: '1.30.0' },
  yauzl: { version: '3.4.0' },
} as const satisfies Readonly<Record<string, PackageInstall>>;

/** Name of a package that only some features need. */
export type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

/** The command that installs these packages beside gess-zero. */
export function installCommand(names: readonly OptionalPackage[]): string {
  const packages = names.map((name): PackageInstall => OPTIONAL_PACKAGES[name]);
  const flag = packages.some(({ hasInstallScript }) => hasInstallScript === true) ? ' --ignore-scripts' : '';
  return `npm install${flag} ${names.map((name, index) => `${name}@${packages[index]!.version}`).join(' ')}`;
}

/** Thrown when a feature needs packages that are not installed; the message contains the command that installs them. */
export class PackageError extends CodedError<'package-missing'> {
  override readonly name = 'PackageError';
  override readonly exitCode = 1;

  /** @param names the missing packages, at least one. */
  constructor(names: readonly OptionalPackage[], options?: ErrorOptions) {
    const noun = names.length === 1 ? 'package' : 'packages';
    super('package-missing', `expected the ${noun} ${names.join(', ')}: ${installCommand(names)}`, options);
  }
}

/** Node's codes of a module that it cannot find, by `import` and by `require`. */
const NOT_FOUND = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** The error to throw when loading a package failed: a `PackageError` if the package is missing, else `error`. */
export function explainMissing(name: OptionalPackage, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !NOT_FOUND.includes(String(error.code)))
    return error;
  // An installed package may lack a dependency: the message then contains its path, where the name is not in quotes.
  const isItself = error.message.includes(`'${name}'`) || error.message.includes(`'${name}/`);
  return isItself ? new PackageError([name], { cause: error }) : error;
}

/**
 * Loads an optional package. `load` holds the `import()` itself, so that bundlers see it.
 *
 * @throws PackageError `package-missing` if it is not installed.
 */
export async function loadOptional<Module>(
  name: OptionalPackage,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    throw explainMissing(name, error);
  }
}
