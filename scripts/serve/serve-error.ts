import { CodedError } from '../../env/errors.js';

/**
 * Machine-readable causes of a page that cannot be served: `page-missing` (it was not built), `page-damaged`,
 * `address-in-use`, `address-unusable` (not of this machine, or not allowed).
 */
export type ServeErrorCode = 'page-missing' | 'page-damaged' | 'address-in-use' | 'address-unusable';

/** Thrown by the server of the page. */
export class ServeError extends CodedError<ServeErrorCode> {
  override readonly name = 'ServeError';
  override readonly exitCode = 1;
}
