import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Names a process beyond its number, which the system gives to another process after its end. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the system's own unit since boot; null where the system does not tell. */
  readonly startTime: string | null;
  /** The boot of the machine it runs in; null where the system does not tell. */
  readonly boot: string | null;
  readonly host: string;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not Linux, or no such process: the caller sees null.
    return null;
  }
}

/** What `/proc/PID/stat` says from its third field on (proc(5)); the second, in parentheses, may hold anything. */
function statusFields(pid: number): readonly string[] {
  const stat = readOrNull(`/proc/${String(pid)}/stat`);
  return stat === null ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Field 22. */
function startTimeOf(pid: number): string | null {
  return statusFields(pid)[19] ?? null;
}

/**
 * Processor time that a process has used, user's and system's, in ticks of the system's clock (fields 14 and 15); null where
 * the system does not tell.
 */
export function processorTicks(pid: number): number | null {
  const fields = statusFields(pid);
  return fields.length === 0 ? null : Number(fields[11]) + Number(fields[12]);
}

/** Bytes of memory that a process has resident; null where the system does not tell. */
export function residentBytesOf(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(?<kilobytes>\d+) kB$/m.exec(readOrNull(`/proc/${String(pid)}/status`) ?? '');
  return kilobytes === null ? null : Number(kilobytes.groups!['kilobytes']) * 1024;
}

/** Whether the process has ended and only waits for its parent to ask how (field 3 is Z or X). */
function isZombie(pid: number): boolean {
  return ['Z', 'X', 'x'].includes(statusFields(pid)[0] ?? '');
}

function currentBoot(): string | null {
  return readOrNull('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

/** The identity of the calling process. */
export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid), boot: currentBoot(), host: hostname() };
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists and is another user's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether that process still runs. A process of another host counts as running: nobody here can tell. */
export function isRunning(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true;
  if (identity.boot !== currentBoot() || !pidExists(identity.pid)) return false;
  return identity.startTime === startTimeOf(identity.pid) && !isZombie(identity.pid);
}
