import { checkServerIdentity, type ConnectionOptions as NodeTlsOptions } from 'node:tls';
import type { TlsOptions } from './nats-library.js';
import { nodeSigner } from './node-signer.js';
import { connectWith, type PoolConnection } from './pool-connection.js';
import type { PoolTicket } from './pool-ticket.js';
import { connectGuarded } from './tcp/guarded-transport.js';

/**
 * TLS options. The library passes no host to Node if the host is an address, and Node then expects a certificate for
 * `localhost`.
 */
function tlsOptions(url: string, ca: string): TlsOptions {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const identity: Pick<NodeTlsOptions, 'checkServerIdentity'> = {
    checkServerIdentity: (_host, certificate) => checkServerIdentity(host, certificate),
  };
  return { ca, ...identity };
}

/**
 * Connects this process to the server of a pool.
 *
 * @param onMessage as for `connectWith`.
 * @throws TrainingError `pool-unreachable`, `pool-refused`; PackageError if the libraries are not installed.
 */
export async function connectToPool(
  ticket: PoolTicket,
  onMessage?: (text: string) => void,
): Promise<PoolConnection> {
  const { url, ca, key } = ticket;
  const connection = await connectWith(
    ticket,
    (options) => connectGuarded({ ...options, ...(ca !== null && { tls: tlsOptions(url, ca) }) }),
    onMessage,
  );
  return { ...connection, signer: nodeSigner(key) };
}
