import { loadOptional } from '../../../../../env/optional-packages.js';

/** The inner parts of the NATS library, in Node. Its parser and its connection by TCP have no other way in. */
export const { NodeTransport, nodeResolveHost } = await loadOptional(
  '@nats-io/transport-node',
  () => import('@nats-io/transport-node/lib/node_transport.js'),
);
const { MsgHdrsImpl, ...core } = await loadOptional(
  '@nats-io/transport-node',
  () => import('@nats-io/transport-node/lib/nats-base-client.js'),
);
export const { Kind, NatsConnectionImpl, Parser, setTransportFactory, State } = core;
export type { ParserEvent } from '@nats-io/transport-node/lib/nats-base-client.js';

const decode = MsgHdrsImpl.decode.bind(MsgHdrsImpl);

/**
 * Reads headers; returns none if they are malformed, where the library would throw and lose the connection.
 * Headers come from other clients, and the server keeps them in streams, so each delivery would fail again.
 * A message without headers is unsigned, and nobody acts on it.
 */
MsgHdrsImpl.decode = (bytes) => {
  try {
    return decode(bytes);
  } catch {
    return new MsgHdrsImpl();
  }
};
