import { readFileSync } from 'node:fs';
import { TrainingError } from '../../training-error.js';

/** Properties of a machine that determine whether native TensorFlow runs on it. */
export interface Platform {
  /** As Node names it: `linux`, `darwin`, `win32`, … */
  readonly system: string;
  /** As Node names it: `x64`, `arm64`, … */
  readonly architecture: string;
  /** Version of the GNU C library; null if there is another one (musl) or none. */
  readonly glibc: string | null;
}

function glibcVersion(): string | null {
  // Resolving the names of network peers could take seconds.
  const report = process.report as typeof process.report & { excludeNetwork?: boolean };
  report.excludeNetwork = true;
  const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime ?? null;
}

/** The platform of this process. */
export function currentPlatform(): Platform {
  const system = process.platform;
  return { system, architecture: process.arch, glibc: system === 'linux' ? glibcVersion() : null };
}

/** Text for messages, such as `linux x64, glibc 2.36`. */
export function formatPlatform({ system, architecture, glibc }: Platform): string {
  const library = system === 'linux' ? `, ${glibc === null ? 'no glibc' : `glibc ${glibc}`}` : '';
  return `${system} ${architecture}${library}`;
}

/** Whether the pinned build of TensorFlow runs on a platform. */
export function isSupported({ system, architecture, glibc }: Platform): boolean {
  return system === 'linux' && architecture === 'x64' && glibc !== null;
}

/**
 * Checks that the pinned build of TensorFlow runs on a platform.
 *
 * @throws TrainingError `platform-unsupported`.
 */
export function requireSupportedPlatform(platform: Platform): void {
  if (isSupported(platform)) return;
  throw new TrainingError(
    'platform-unsupported',
    `expected linux x64 with glibc, the only platform supported by native TensorFlow so far; found ` +
      `${formatPlatform(platform)}. Training runs on WebAssembly here, much slower`,
  );
}

/** Processor features that affect TensorFlow's speed, with their names in `/proc/cpuinfo`. */
const CPU_FLAGS = { avx2: 'avx2', avx512f: 'avx512f', avx512Bf16: 'avx512_bf16', amx: 'amx_tile' } as const;

/** Whether the processor has each feature. */
export type CpuFeatures = Readonly<Record<keyof typeof CPU_FLAGS, boolean>>;

/** Reads the features of the first processor; null if the system is not Linux. */
export function cpuFeatures(): CpuFeatures | null {
  if (process.platform !== 'linux') return null;
  const line = /^flags\s*:(?<flags>.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'));
  const flags = new Set((line?.groups?.['flags'] ?? '').split(' '));
  return {
    avx2: flags.has(CPU_FLAGS.avx2),
    avx512f: flags.has(CPU_FLAGS.avx512f),
    avx512Bf16: flags.has(CPU_FLAGS.avx512Bf16),
    amx: flags.has(CPU_FLAGS.amx),
  };
}
