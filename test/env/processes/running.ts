import { execFileSync } from 'node:child_process';

/** Whether a process with this id exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Ids and command lines of the processes whose command line contains a text, except for this look itself. */
export function processesWith(text: string): readonly string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(text) && !line.includes('ps -eo'));
}
