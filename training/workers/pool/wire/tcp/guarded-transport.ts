import type { Socket } from 'node:net';
import type { TroubleListener } from '../connection-troubles.js';
import { ConnectionError, type ConnectionOptions, type NatsConnection } from '../nats-library.js';
import {
  NatsConnectionImpl,
  nodeResolveHost,
  NodeTransport,
  setTransportFactory,
} from './nats-node-library.js';
import { expectServerInfo, MAX_LINE, ServerStream } from './server-stream.js';

/**
 * The library's connection by TCP, for servers that may be anything. The library itself collects a first line without
 * end; at an error in the stream it prints a stack trace and goes on collecting; and it leaves the socket of a server
 * that does not answer open.
 */
class GuardedTransport extends NodeTransport {
  private listener: TroubleListener = {};

  override async connect(
    address: Parameters<InstanceType<typeof NodeTransport>['connect']>[0],
    options: ConnectionOptions & TroubleListener,
  ): Promise<void> {
    this.listener = options;
    try {
      await super.connect(address, options);
    } catch (error) {
      options.onTrouble?.(error as Error);
      throw error;
    }
  }

  override async peekInfo(): ReturnType<InstanceType<typeof NodeTransport>['peekInfo']> {
    const { socket } = this;
    let size = 0;
    // The library removes this listener after the first line.
    socket.on('data', (bytes) => {
      size += bytes.length;
      if (size <= MAX_LINE) return;
      socket.destroy(new ConnectionError(`expected a first line of at most ${MAX_LINE} bytes`));
    });
    const info = await super.peekInfo();
    expectServerInfo(info);
    return info;
  }

  override async *iterate(): AsyncGenerator<Uint8Array, void> {
    const stream = new ServerStream();
    try {
      for await (const bytes of super.iterate()) {
        stream.check(bytes);
        yield bytes;
      }
    } catch (error) {
      this.listener.onTrouble?.(error as Error);
      await this.close(error as Error);
    } finally {
      // The library reads no further after an error of its own.
      if (!this.isClosed) await this.close(new ConnectionError('the stream of the server cannot be read'));
    }
  }

  override async close(error?: Error): Promise<void> {
    await super.close(error);
    if (this.connected) return;
    this.done = true;
    // None is open yet while the address is dialled.
    (this.socket as Socket | undefined)?.destroy();
  }
}

/** Connects to a server by TCP, with TLS where the options or the server require it; throws the library's errors. */
export function connectGuarded(options: ConnectionOptions & TroubleListener): Promise<NatsConnection> {
  setTransportFactory({ factory: () => new GuardedTransport(), dnsResolveFn: nodeResolveHost });
  return NatsConnectionImpl.connect(options);
}
