import { chmod, copyFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import {
  exists,
  makeFolder,
  removeFile,
  writeFileAtomic,
  writeFolderAtomic,
} from '../../../../data/files/atomic-file.js';
import { readInput } from '../../../../data/files/input-file.js';
import { lockFolder } from '../../../../data/files/lock.js';
import { expectPlaceForOutput } from '../../../../data/files/output-folder.js';
import { TrainingError } from '../../../training-error.js';
import { createUser, type KeyPair } from '../wire/nats-library.js';
import type { TicketFile } from '../wire/ticket-file.js';
import { expectHost, writeCertificate } from './certificate.js';
import { expectRoom, MEMBERS_FILE, type PoolMembers, readMembers } from './pool-members.js';
import { serverConfig, STATE_PORT, WEB_FILES } from './server-config.js';
import { composeFile, systemdUnit } from './service-files.js';

/** A new pool. */
export interface PoolPlan {
  /** Names and addresses by which workers reach the server, the most common one first. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly workers: number;
  readonly hasTls: boolean;
  /** Port of the listener for browsers; undefined for none. */
  readonly webPort?: number | undefined;
  /** Maximum size of the server's files, in GiB. */
  readonly storeGib: number;
}

/** A written file with credentials. */
export interface NewTicket {
  readonly name: string;
  readonly path: string;
}

/** Readable by the owner only, because whoever holds a credentials file is a member. */
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

type Server = Pick<PoolMembers, 'hosts' | 'port' | 'hasTls' | 'webPort'>;

/** Writes a file with credentials for a new key; returns its public key. */
async function writeTicket(folder: string, name: string, server: Server): Promise<string> {
  const key: KeyPair = createUser();
  const first = server.hosts[0]!;
  const host = isIPv6(first) ? `[${first}]` : first;
  const certificate = join(folder, 'server', 'server.crt');
  const ca = server.hasTls ? { ca: new TextDecoder().decode(await readInput(certificate, 'ticket')) } : {};
  const ticket: TicketFile = {
    ticketVersion: 1,
    url: `${server.hasTls ? 'tls' : 'nats'}://${host}:${server.port}`,
    ...(server.webPort !== undefined && {
      browserUrl: `${server.hasTls ? 'wss' : 'ws'}://${host}:${server.webPort}`,
    }),
    ...ca,
    seed: new TextDecoder().decode(key.getSeed()),
  };
  const path = join(folder, `${name}.json`);
  await writeFileAtomic(path, `${JSON.stringify(ticket, undefined, 2)}\n`);
  await chmod(path, PRIVATE_FILE);
  return key.getPublicKey();
}

/** Writes the server's certificate, and a copy for browsers as a placeholder for one that they accept. */
async function writeCertificates(folder: string, { hosts, webPort }: PoolPlan): Promise<void> {
  await writeCertificate(folder, hosts);
  if (webPort === undefined) return;
  await copyFile(join(folder, 'server.crt'), join(folder, WEB_FILES.certificate));
  await copyFile(join(folder, 'server.key'), join(folder, WEB_FILES.key));
}

/** Writes the files that depend on the members. */
async function writeMembers(folder: string, members: PoolMembers): Promise<void> {
  await writeFileAtomic(join(folder, 'server', 'nats.conf'), serverConfig(members));
  await writeFileAtomic(join(folder, MEMBERS_FILE), `${JSON.stringify(members, undefined, 2)}\n`);
}

/** Expects ports of its own for workers, for browsers and for the server's state. @throws TrainingError `pool-address`. */
function expectPorts(ports: readonly number[]): void {
  if (new Set([...ports, STATE_PORT]).size === ports.length + 1) return;
  throw new TrainingError(
    'pool-address',
    `expected different ports, none of them ${STATE_PORT}, where the server shows its state; got ${ports.join(' and ')}`,
  );
}

/**
 * Writes a new folder with the configuration of a pool's server, credentials for its coordinator, an observer and
 * workers, a systemd unit and a compose file. Only the owner may read it.
 *
 * @returns the files with credentials.
 * @throws TrainingError `pool-address` for an invalid host or port, `pool-setup` if the folder exists or `openssl` is
 *   missing; DataError `output-misplaced`, `run-locked`, `write-failed`, `disk-full`.
 */
export async function makePool(folder: string, plan: PoolPlan): Promise<readonly NewTicket[]> {
  const { hosts, port, hasTls, webPort, storeGib } = plan;
  for (const host of hosts) expectHost(host);
  expectRoom(plan.workers, plan.workers);
  const ports = webPort === undefined ? [port] : [port, webPort];
  expectPorts(ports);
  if (await exists(folder)) {
    throw new TrainingError(
      'pool-setup',
      `expected no folder at ${folder}: gess pool add adds workers to a pool`,
    );
  }
  await expectPlaceForOutput(folder, 'pool');
  const names = Array.from({ length: plan.workers }, (_, index) => `worker-${index + 1}`);
  await writeFolderAtomic(resolve(folder), async (temporary) => {
    await chmod(temporary, PRIVATE_FOLDER);
    const server = join(temporary, 'server');
    await makeFolder(server);
    if (hasTls) await writeCertificates(server, plan);
    const place = { hosts: [...hosts], port, hasTls, ...(webPort !== undefined && { webPort }) };
    const coordinator = await writeTicket(temporary, 'coordinator', place);
    const observer = await writeTicket(temporary, 'observer', place);
    const workers = [];
    for (const name of names) workers.push({ name, key: await writeTicket(temporary, name, place) });
    await writeMembers(temporary, { membersVersion: 1, ...place, storeGib, coordinator, observer, workers });
    await writeFileAtomic(join(temporary, 'gess-pool.service'), systemdUnit(join(resolve(folder), 'server')));
    await writeFileAtomic(join(temporary, 'compose.yaml'), composeFile(ports));
  });
  return ['coordinator', 'observer', ...names].map((name) => ({ name, path: join(folder, `${name}.json`) }));
}

/** The members of a pool in a folder. @throws TrainingError `pool-setup` if there is none. */
async function expectMembers(folder: string): Promise<PoolMembers> {
  const members = await readMembers(join(folder, MEMBERS_FILE));
  if (members !== null) return members;
  throw new TrainingError('pool-setup', `expected a pool of gess pool init at ${folder}`);
}

/** Changes the members of a pool; meanwhile no other process changes them. */
async function changeMembers<T>(folder: string, change: (members: PoolMembers) => Promise<T>): Promise<T> {
  await expectMembers(folder);
  const lock = await lockFolder(folder);
  try {
    return await change(await expectMembers(folder));
  } finally {
    lock.release();
  }
}

/**
 * Adds workers to a pool. The server admits them once it has reloaded its configuration.
 *
 * @returns their files with credentials.
 * @throws TrainingError `pool-setup`; DataError `run-locked` while another process changes the pool, and others for the
 *   files.
 */
export async function addWorkers(folder: string, count: number): Promise<readonly NewTicket[]> {
  return changeMembers(folder, async (members) => {
    const last = Math.max(0, ...members.workers.map(({ name }) => Number(name.slice('worker-'.length))));
    expectRoom(members.workers.length + count, last + count);
    const names = Array.from({ length: count }, (_, index) => `worker-${last + index + 1}`);
    const added = [];
    for (const name of names) added.push({ name, key: await writeTicket(folder, name, members) });
    await writeMembers(folder, { ...members, workers: [...members.workers, ...added] });
    return names.map((name) => ({ name, path: join(folder, `${name}.json`) }));
  });
}

/**
 * Removes a worker's key from a pool. The server closes its connections once it has reloaded its configuration.
 *
 * @throws TrainingError `pool-setup` if there is no such worker; DataError as `addWorkers`.
 */
export async function removeWorker(folder: string, name: string): Promise<void> {
  await changeMembers(folder, async (members) => {
    const workers = members.workers.filter((worker) => worker.name !== name);
    if (workers.length === members.workers.length) {
      throw new TrainingError('pool-setup', `expected a worker of the pool at ${folder}, got ${name}`);
    }
    await writeMembers(folder, { ...members, workers });
    await removeFile(join(folder, `${name}.json`));
  });
}
