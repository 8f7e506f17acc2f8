import {
  ANY,
  FILES_STREAM,
  fileSubject,
  inboxPrefix,
  resultSubject,
  shardSubject,
  STATUS_SUBJECT,
  WAKE_SUBJECT,
  workerSubject,
} from '../wire/pool-subjects.js';
import { MAX_MESSAGE_BYTES } from '../wire/pool-messages.js';
import type { PoolMembers } from './pool-members.js';

/** Port of this machine at which the server shows its state. */
export const STATE_PORT = 8222;

/** Certificate and key of the listener for browsers, beside the configuration. */
export const WEB_FILES = { certificate: 'web.crt', key: 'web.key' } as const;

/** Subject of requests for the parts of files. */
const READ_FILES = `$JS.API.DIRECT.GET.${FILES_STREAM}.${fileSubject(ANY, ANY)}`;

/** Subjects on which workers send; the coordinator's account has their streams. */
const SERVICES = [
  workerSubject(ANY, ANY),
  shardSubject(ANY, ANY, ANY),
  resultSubject(ANY, ANY),
  READ_FILES,
  STATUS_SUBJECT,
] as const;

/** Maximum number of simultaneous connections of a worker, with spare ones for reconnecting. */
const CONNECTIONS_PER_KEY = 4;

function list(subjects: readonly string[]): string {
  return `[${subjects.map((subject) => `"${subject}"`).join(', ')}]`;
}

function user(key: string, publish: readonly string[], subscribe: readonly string[]): string {
  const inbox = `${inboxPrefix(key)}.>`;
  return `      { nkey: ${key}, permissions: { publish: ${list(publish)}, subscribe: ${list([inbox, ...subscribe])} } }`;
}

function workerUser(key: string): string {
  const own = [workerSubject(key, ANY), shardSubject(key, ANY, ANY), resultSubject(key, ANY)];
  return user(key, [...own, READ_FILES], [WAKE_SUBJECT]);
}

/** The WebSocket listener, with its own certificate: browsers accept only those of public authorities. */
function listenerForBrowsers(port: number, hasTls: boolean): readonly string[] {
  const security = hasTls
    ? ['  tls {', `    cert_file: "${WEB_FILES.certificate}"`, `    key_file: "${WEB_FILES.key}"`, '  }']
    : ['  no_tls: true'];
  return ['websocket {', `  port: ${port}`, ...security, '}'];
}

/**
 * The configuration of a pool's server.
 *
 * The streams belong to an account without workers. The sender of a message chooses the subject of the server's answer,
 * regardless of its permissions, so a worker in the same account could purge a stream, or write under another worker's
 * name.
 */
export function serverConfig(members: PoolMembers): string {
  const { port, hasTls, webPort, storeGib, coordinator, observer, workers } = members;
  const exports = [
    ...SERVICES.map((subject) => `{ service: "${subject}" }`),
    `{ stream: "${WAKE_SUBJECT}" }`,
  ];
  const imports = [
    ...SERVICES.map((subject) => `{ service: { account: POOL, subject: "${subject}" } }`),
    `{ stream: { account: POOL, subject: "${WAKE_SUBJECT}" } }`,
  ];
  const tls = ['tls {', '  cert_file: "server.crt"', '  key_file: "server.key"', '}'];
  const lines = [
    '# Written by gess pool init. The paths are relative to the folder in which the server is started.',
    'server_name: gess-pool',
    `port: ${port}`,
    `max_payload: ${MAX_MESSAGE_BYTES}`,
    `max_connections: ${CONNECTIONS_PER_KEY * (workers.length + 2)}`,
    // A connection has one subscription for answers and one for the wake-up; the coordinator has a few more.
    'max_subscriptions: 64',
    `http: "127.0.0.1:${STATE_PORT}"`,
    ...(hasTls ? tls : []),
    ...(webPort === undefined ? [] : listenerForBrowsers(webPort, hasTls)),
    'jetstream {',
    '  store_dir: "store"',
    `  max_file_store: ${storeGib}GB`,
    '}',
    'accounts {',
    '  POOL {',
    `    jetstream: { max_file: ${storeGib}GB, max_streams: 3, max_consumers: 16 }`,
    `    users: [\n      { nkey: ${coordinator} }\n    ]`,
    `    exports: [\n${exports.map((each) => `      ${each}`).join('\n')}\n    ]`,
    '  }',
    '  MEMBERS {',
    `    users: [`,
    user(observer, [STATUS_SUBJECT], []),
    ...workers.map(({ key }) => workerUser(key)),
    `    ]`,
    `    imports: [\n${imports.map((each) => `      ${each}`).join('\n')}\n    ]`,
    '  }',
    '}',
  ];
  return `${lines.join('\n')}\n`;
}
