import { execFile } from 'node:child_process';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorText } from '../../../../env/text/error-text.js';
import { quote } from '../../../../env/text/quoted-text.js';
import { TrainingError } from '../../../training-error.js';
import { systemErrorCode } from '../../../../data/data-error.js';

/** A DNS name. */
const HOST_NAME =
  /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

/** Days for which the certificate is valid: the life of a pool, as its workers know this one certificate only. */
const VALID_DAYS = 3650;

/** Milliseconds in which `openssl` must finish; it takes a few. */
const LIMIT_MS = 60_000;

/** @throws TrainingError `pool-address` unless it is a DNS name or an IP address. */
export function expectHost(host: string): void {
  if (isIP(host) !== 0 || HOST_NAME.test(host)) return;
  throw new TrainingError('pool-address', `expected a host name or an IP address, got ${quote(host)}`);
}

/**
 * Writes `server.key` and `server.crt`, a self-signed certificate for a server with these host names.
 *
 * @param hosts host names and addresses, checked by `expectHost`.
 * @throws TrainingError `pool-setup` if the program `openssl` is missing or fails.
 */
export async function writeCertificate(folder: string, hosts: readonly string[]): Promise<void> {
  const names = hosts.map((host) => `${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`);
  const files = ['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const content = ['-subj', '/CN=gess pool', '-addext', `subjectAltName=${names.join(',')}`];
  try {
    await promisify(execFile)(
      'openssl',
      ['req', '-x509', ...kind, '-days', String(VALID_DAYS), ...content, ...files],
      { timeout: LIMIT_MS },
    );
  } catch (cause) {
    const isMissing = systemErrorCode(cause) === 'ENOENT';
    const problem = isMissing
      ? 'expected the program openssl, which makes the certificate: install it (apt-get install openssl), or use --no-tls'
      : `openssl made no certificate: ${errorText(cause).slice(0, 500)}`;
    throw new TrainingError('pool-setup', problem, { cause });
  }
}
