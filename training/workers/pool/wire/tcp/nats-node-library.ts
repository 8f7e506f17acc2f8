import { loadOptional } from '../../../../../env/optional-packages.js';

/** The inner parts of the NATS library, in Node. Its parser and its connection by TCP have no other way in. */
export const { NodeTransport, nodeResolveHost } = await loadOptional(
  '@nats-io/transport-node',
  () => import('@nats-io/transport-node/lib/node_transport.js'),
);
export const { Kind, MsgHdrsImpl, NatsConnectionImpl, Parser, setTransportFactory, State } =
  await loadOptional(
    '@nats-io/transport-node',
    () => import('@nats-io/transport-node/lib/nats-base-client.js'),
  );
export type { ParserEvent } from '@nats-io/transport-node/lib/nats-base-client.js';
