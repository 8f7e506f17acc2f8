import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';

/** Whether this system lets a user mount their own file system (Linux with user namespaces). */
export const CAN_MOUNT =
  spawnSync('unshare', [
    '--map-root-user',
    '--mount',
    'bash',
    '-c',
    'd=$(mktemp -d) && mount -t tmpfs none $d && umount $d && rmdir $d',
  ]).status === 0;

/** The end of a program: exit code and output. */
export interface EndedOnDisk {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A small file system in memory, in its own namespace; only programs that run in the namespace see it. */
export class SmallDisk {
  /** The mount point, for programs that run in the namespace. */
  readonly folder: string;
  private readonly scratch: string;
  private readonly shell: ChildProcess;
  private readonly answers: Interface;

  /** @param scratch a folder for the output of programs. */
  constructor(scratch: string) {
    this.scratch = scratch;
    this.folder = join(scratch, 'disk');
    mkdirSync(this.folder);
    this.shell = spawn('unshare', ['--map-root-user', '--mount', 'bash'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.answers = createInterface({ input: this.shell.stdout! });
  }

  /** The same folder, for this process. */
  get seenFromHere(): string {
    return `/proc/${String(this.shell.pid)}/root${this.folder}`;
  }

  /** Mounts it again, empty. Each file, folder and name takes an inode, and the file system takes one. */
  async mount(options: string): Promise<void> {
    await this.run(`mount -t tmpfs -o ${options} none ${this.folder}`);
  }

  /** Gives it more room, or less. */
  async resize(options: string): Promise<void> {
    await this.run(`mount -o remount,${options} ${this.folder}`);
  }

  /** Runs a line of bash, whose words have no spaces. */
  async run(line: string): Promise<EndedOnDisk> {
    const [out, err] = [join(this.scratch, 'out'), join(this.scratch, 'err')];
    this.shell.stdin!.write(`{ ${line}; } > ${out} 2> ${err} < /dev/null; echo $?\n`);
    const [answer] = (await once(this.answers, 'line')) as [string];
    return { code: Number(answer), stdout: readFileSync(out, 'utf8'), stderr: readFileSync(err, 'utf8') };
  }

  /** Removes it together with its content. */
  dispose(): void {
    this.shell.kill('SIGKILL');
  }
}
