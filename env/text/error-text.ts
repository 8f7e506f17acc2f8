/** Whether a thrown value is an `Error`. A `Proxy` that throws when it is asked is none. */
export function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

/** The message of whatever was thrown, even of an object whose members throw in turn. */
export function errorText(thrown: unknown): string {
  try {
    return String(isError(thrown) ? thrown.message : thrown);
  } catch {
    return 'an error without a readable message';
  }
}
