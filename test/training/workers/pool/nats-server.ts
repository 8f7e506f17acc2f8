import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a NATS server is installed. Continuous integration installs one, so no test is skipped there. */
export const hasNatsServer =
  process.env['CI'] !== undefined || spawnSync('nats-server', ['--version']).status === 0;

if (!hasNatsServer)
  console.log('no nats-server: install it (apt-get install nats-server) to test many machines');

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A NATS server with JetStream on the loopback interface, which a test can kill and start again. */
export class NatsServer {
  readonly url: string;
  private readonly folder = mkdtempSync(join(tmpdir(), 'gess-nats-'));
  private readonly words: readonly string[];
  private readonly cwd: string;
  private child: ChildProcess | null = null;

  /** @param configured folder of its configuration, and the port at which it shows its state. */
  private constructor(port: number, configured: { folder: string; statePort: number } | null) {
    this.url = `nats://127.0.0.1:${String(port)}`;
    this.words =
      configured === null
        ? ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', this.folder]
        : ['-c', 'nats.conf', '-m', String(configured.statePort)];
    this.cwd = configured?.folder ?? this.folder;
  }

  /** Starts a server that accepts every client. */
  static async start(): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), null);
    await server.run();
    return server;
  }

  /**
   * Starts the server of `gess pool init` from its folder `server`, with a free port for its state: tests run at the
   * same time.
   */
  static async startConfigured(folder: string, port: number): Promise<NatsServer> {
    const server = new NatsServer(port, { folder, statePort: await freePort() });
    await server.run();
    return server;
  }

  /** Id of its process. */
  get pid(): number {
    return this.child!.pid!;
  }

  /** Starts it, also after `kill`, and waits until it accepts connections. */
  async run(): Promise<void> {
    const child = spawn('nats-server', this.words, { cwd: this.cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes('Server is ready')) resolve();
      });
      child.on('exit', () => {
        reject(new Error(`expected a NATS server, found:\n${log}`));
      });
      child.on('error', reject);
    });
  }

  /** Ends it immediately, as a crash would. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Ends it for good and removes its files. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }
}
