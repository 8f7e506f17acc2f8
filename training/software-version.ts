import { createRequire } from 'node:module';
import { explainMissing, type OptionalPackage, PackageError } from '../env/optional-packages.js';

const require = createRequire(import.meta.url);

/** The version in the `package.json` of an installed package. */
export function versionOf(name: string): string {
  const { version } = require(`${name}/package.json`) as { version: string };
  return version;
}

/** Whether an optional package is installed, without loading it. */
export function isInstalled(name: OptionalPackage): boolean {
  try {
    require.resolve(name);
    return true;
  } catch (error) {
    // A package that has only ES modules is found, but cannot be required.
    return !(explainMissing(name, error) instanceof PackageError);
  }
}

/** Those of some optional packages that are not installed. */
export function notInstalled(names: readonly OptionalPackage[]): OptionalPackage[] {
  return names.filter((name) => !isInstalled(name));
}

/** Version of this package, as recorded in checkpoints, shards and exports. */
export function softwareVersion(): string {
  return versionOf('gess-zero');
}
