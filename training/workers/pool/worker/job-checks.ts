import { TrainingError } from '../../../training-error.js';

/** @throws TrainingError `pool-version` unless a job is of this program's version. */
export function expectVersion(found: string, own: string): void {
  if (found === own) return;
  throw new TrainingError('pool-version', `expected a job of gess-zero ${own}, got ${found}`);
}

/** @throws TrainingError `pool-content` unless settings and network are those that the job names. */
export function expectSource(found: string, expected: string): void {
  if (found === expected) return;
  throw new TrainingError(
    'pool-content',
    `expected settings and network of SHA-256 ${expected}, found ${found}`,
  );
}
