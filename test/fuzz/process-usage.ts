import { readdirSync, readFileSync } from 'node:fs';
import { processorMsOf } from '../../data/files/process-identity.js';

/** Length of a clock tick on Linux. */
const TICK_MS = 10;
const KIB = 2 ** 10;
const MIB = 2 ** 20;

/** The text of a system file; empty if it does not exist, as on another system or for a process that has ended. */
function systemText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The threads of a process; none if it has ended. */
function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${String(pid)}/task`);
  } catch {
    return [];
  }
}

/** The running processes that this process or one of its descendants has started. */
function descendants(pid = process.pid): readonly number[] {
  const children = threadsOf(pid).flatMap((thread) => {
    const text = systemText(`/proc/${String(pid)}/task/${thread}/children`).trim();
    return text === '' ? [] : text.split(' ').map(Number);
  });
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** Processor time in ms of the ended child processes that this one has waited for (proc(5), fields 16 and 17). */
function endedChildrenMs(): number {
  const text = systemText('/proc/self/stat');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return TICK_MS * (Number(fields[13] ?? 0) + Number(fields[14] ?? 0));
}

/**
 * Processor time in ms that this process, its threads and its descendants have used. Unlike wall-clock time, it does
 * not depend on the load of the machine.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  const running = descendants().reduce((sum, pid) => sum + (processorMsOf(pid) ?? 0), 0);
  return (user + system) / 1000 + endedChildrenMs() + running;
}

/** The greatest memory in MiB that any descendant of this process has had so far. */
export function childPeakMiB(): number {
  const peaks = descendants().map((pid) => {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(systemText(`/proc/${String(pid)}/status`));
    return Number(found?.[1] ?? 0) / KIB;
  });
  return Math.max(0, ...peaks);
}

/** The greatest memory in MiB that this process has had so far. */
export function ownPeakMiB(): number {
  return (process.resourceUsage().maxRSS * KIB) / MIB;
}
