import { readFileSync } from 'node:fs';
import { TrainingError } from '../../training-error.js';

/** What of a machine decides whether native TensorFlow runs on it. */
export interface Platform {
  /** As Node names it: `linux`, `darwin`, `win32`, … */
  readonly system: string;
  /** As Node names it: `x64`, `arm64`, … */
  readonly architecture: string;
  /** Version of the GNU C library; null where there is another one (musl) or none. */
  readonly glibc: string | null;
}

function glibcVersion(): string | null {
  // Looking up the names of the network's peers could take seconds.
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

/** For people: `linux x64, glibc 2.36`. */
export function formatPlatform({ system, architecture, glibc }: Platform): string {
  const library = system === 'linux' ? `, ${glibc === null ? 'no glibc' : `glibc ${glibc}`}` : '';
  return `${system} ${architecture}${library}`;
}

/** Whether the pinned build of TensorFlow runs there. */
export function isSupported({ system, architecture, glibc }: Platform): boolean {
  return system === 'linux' && architecture === 'x64' && glibc !== null;
}

/**
 * Passes where the pinned build of TensorFlow runs.
 *
 * @throws TrainingError `platform-unsupported`.
 */
export function requireSupportedPlatform(platform: Platform): void {
  if (isSupported(platform)) return;
  throw new TrainingError(
    'platform-unsupported',
    `expected linux x64 with glibc, the only platform that native TensorFlow is set up on by now; found ` +
      `${formatPlatform(platform)}. Training runs on WebAssembly here, far slower`,
  );
}

/** Processor features that change how fast TensorFlow is, by their names in `/proc/cpuinfo`. */
const CPU_FLAGS = { avx2: 'avx2', avx512f: 'avx512f', avx512Bf16: 'avx512_bf16', amx: 'amx_tile' } as const;

/** Which of them the processor has; null where the system does not tell. */
export type CpuFeatures = Readonly<Record<keyof typeof CPU_FLAGS, boolean>>;

/** Reads the features of the first processor; null where the system is not Linux. */
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
