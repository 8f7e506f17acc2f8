import { loadOptional } from '../../../../env/optional-packages.js';

/**
 * The only module that imports the NATS libraries for Node and browsers; all others import their values and types from
 * here. `tcp/nats-node-library.ts` has what only Node needs.
 */
export const {
  AuthorizationError,
  ConnectionError,
  headers,
  nanos,
  NoRespondersError,
  nkeyAuthenticator,
  nuid,
  PermissionViolationError,
  RequestError,
  TimeoutError,
  wsconnect,
} = await loadOptional('@nats-io/transport-node', () => import('@nats-io/transport-node'));
export const {
  DiscardPolicy,
  jetstream,
  JetStreamApiError,
  JetStreamError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} = await loadOptional('@nats-io/jetstream', () => import('@nats-io/jetstream'));
export const { createUser, fromPublic, fromSeed } = await loadOptional(
  '@nats-io/nkeys',
  () => import('@nats-io/nkeys'),
);
export type {
  ConnectionOptions,
  Msg,
  NatsConnection,
  Subscription,
  TlsOptions,
} from '@nats-io/transport-node';
export type { JetStreamClient, JetStreamManager, JsMsg, StreamConfig } from '@nats-io/jetstream';
export type { KeyPair } from '@nats-io/nkeys';
