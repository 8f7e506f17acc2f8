import * as z from 'zod';
import { type JsonForm, readJsonFile } from '../../../../data/files/json-file.js';
import { TrainingError } from '../../../training-error.js';
import { PublicKey } from '../wire/public-key.js';

/** Maximum number of workers of a pool. */
export const MOST_WORKERS = 10_000;

/** Greatest number in a worker's name. */
const LAST_NUMBER = 99_999;

/** The members of a pool: their public keys, and the address of its server. */
export const PoolMembers = z.strictObject({
  membersVersion: z.literal(1),
  /** The server's names and addresses; the files with credentials name the first. */
  hosts: z.array(z.string().max(253)).min(1).max(32),
  port: z.int().min(1).max(65_535),
  hasTls: z.boolean(),
  /** Port of the listener for browsers, if it has one. */
  webPort: z.int().min(1).max(65_535).optional(),
  /** Maximum size of the server's files, in GiB. */
  storeGib: z.int().min(1).max(1_000_000),
  coordinator: PublicKey,
  /** May ask for the pool's state. */
  observer: PublicKey,
  workers: z
    .array(z.strictObject({ name: z.string().regex(/^worker-[1-9][0-9]{0,4}$/), key: PublicKey }))
    .max(MOST_WORKERS),
});
export type PoolMembers = z.infer<typeof PoolMembers>;

/** Its file in the folder of a pool. */
export const MEMBERS_FILE = 'pool.json';

const FORM: JsonForm<PoolMembers> = {
  schema: PoolMembers,
  name: 'the members of a pool',
  seal: null,
  version: { key: 'membersVersion', newest: 1, error: (message) => new TrainingError('pool-setup', message) },
  error: (message, cause) => new TrainingError('pool-setup', message, { cause }),
};

/**
 * Checks the number of workers that a pool would have, and the number in the last one's name.
 *
 * @throws TrainingError `pool-setup`.
 */
export function expectRoom(workers: number, lastNumber: number): void {
  if (workers > MOST_WORKERS)
    throw new TrainingError('pool-setup', `expected at most ${MOST_WORKERS} workers, got ${workers}`);
  if (lastNumber > LAST_NUMBER)
    throw new TrainingError(
      'pool-setup',
      `expected names up to worker-${LAST_NUMBER}, got worker-${lastNumber}`,
    );
}

/**
 * The members of a pool; null if the file does not exist.
 *
 * @throws TrainingError `pool-setup`; DataError `file-unreadable`, `file-too-large`.
 */
export function readMembers(path: string): Promise<PoolMembers | null> {
  return readJsonFile(path, 'manifest', FORM);
}
