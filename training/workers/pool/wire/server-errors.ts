/** Codes of JetStream's errors. */

/** There is a message at the subject already: the first one counts. */
export const WRONG_LAST_SEQUENCE = 10071;
export const STREAM_NOT_FOUND = 10059;
/** The storage of the server or of the account has no room for a stream. */
export const NO_STORAGE: readonly number[] = [10002, 10047];
/** A stream, the account or the disk is full. */
export const NO_ROOM: readonly number[] = [...NO_STORAGE, 10023, 10077];
