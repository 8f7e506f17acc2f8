import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';

/** Whether there is a server of NATS. Continuous integration installs one, so there its tests never skip. */
export const hasNatsServer =
  process.env['CI'] !== undefined || spawnSync('nats-server', ['--version']).status === 0;

if (!hasNatsServer)
  console.log('no nats-server: install it (apt-get install nats-server) to test many machines');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A server of NATS with JetStream, on the loopback, which a test can kill and start again. */
export class NatsServer {
  readonly url: string;
  private readonly port: number;
  private readonly folder = mkdtempSync(join(tmpdir(), 'gess-nats-'));
  private child: ChildProcess | null = null;

  private constructor(port: number) {
    this.port = port;
    this.url = `nats://127.0.0.1:${String(port)}`;
  }

  static async start(): Promise<NatsServer> {
    const server = new NatsServer(await freePort());
    await server.run();
    return server;
  }

  /** Runs it, again after `kill`, and waits until it takes connections. */
  async run(): Promise<void> {
    const words = ['-js', '-a', '127.0.0.1', '-p', String(this.port), '-sd', this.folder];
    this.child = spawn('nats-server', words, { stdio: 'ignore' });
    const client = await connect({
      servers: this.url,
      waitOnFirstConnect: true,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 50,
    });
    await client.close();
  }

  /** Ends it at once, as a crash would. */
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
