import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../../..');
const TFJS_NODE = join('node_modules', '@tensorflow', 'tfjs-node');

/** The end of a command: exit code and output. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The compiled program in a separate folder, with `@tensorflow/tfjs-node` as npm installs it, without a binding, and
 * without Python and a compiler on its path, so that native TensorFlow cannot be set up.
 */
export class ProgramWithoutNative {
  private readonly folder = mkdtempSync(join(ROOT, 'node_modules', '.gess-test-'));

  constructor() {
    for (const name of ['dist', 'package.json', 'configs']) {
      cpSync(join(ROOT, name), join(this.folder, name), { recursive: true });
    }
    mkdirSync(join(this.folder, TFJS_NODE), { recursive: true });
    for (const name of ['dist', 'binding', 'package.json']) {
      cpSync(join(ROOT, TFJS_NODE, name), join(this.folder, TFJS_NODE, name), { recursive: true });
    }
  }

  /**
   * Starts a command of the program.
   *
   * @param onMessage called with the text that the command writes to stderr.
   */
  start(args: readonly string[], onMessage?: (text: string, child: ChildProcess) => void): Promise<Ended> {
    const script = join(this.folder, 'dist', 'scripts', 'main.js');
    const env = { ...process.env, PATH: '', GESS_CACHE: join(this.folder, 'cache') };
    const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text) => (stdout += String(text)));
    child.stderr.on('data', (text) => {
      stderr += String(text);
      onMessage?.(stderr, child);
    });
    return new Promise((resolve) => {
      child.on('close', (code) => {
        resolve({ code, stdout, stderr });
      });
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
