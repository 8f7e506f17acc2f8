import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemErrorCode } from '../data-error.js';

/** Identifies a process beyond its number, which the system reuses. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time, in ticks since boot; null if the system does not report it. */
  readonly startTime: string | null;
  /** Id of the boot of its machine; null if the system does not report it. */
  readonly boot: string | null;
  readonly host: string;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not Linux, or no such process.
    return null;
  }
}

/** The fields of `/proc/PID/stat` from the third on (proc(5)). The second, in parentheses, may contain anything. */
function statusFields(pid: number): readonly string[] {
  const stat = readOrNull(`/proc/${String(pid)}/stat`);
  return stat === null ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Start time: field 22. */
function startTimeOf(pid: number): string | null {
  return statusFields(pid)[19] ?? null;
}

/** Milliseconds of a clock tick of Linux, which reports 100 a second to programs on every machine. */
const TICK_MS = 10;

/**
 * Processor time that a process has used, user and system (fields 14 and 15), in ms; null if the system does not
 * report it.
 */
export function processorMsOf(pid: number): number | null {
  const fields = statusFields(pid);
  return fields.length === 0 ? null : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory of a process in bytes; null if the system does not report it. */
export function residentBytesOf(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(?<kilobytes>\d+) kB$/m.exec(readOrNull(`/proc/${String(pid)}/status`) ?? '');
  return kilobytes === null ? null : Number(kilobytes.groups!['kilobytes']) * 1024;
}

/** Whether the process has ended and waits for its parent to collect its status (field 3 is Z or X). */
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
    // EPERM: it exists and belongs to another user.
    return systemErrorCode(error) === 'EPERM';
  }
}

/** Whether a process still runs. A process of another host is assumed to run, since this host cannot know. */
export function isRunning(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true;
  if (identity.boot !== currentBoot() || !pidExists(identity.pid)) return false;
  return identity.startTime === startTimeOf(identity.pid) && !isZombie(identity.pid);
}
