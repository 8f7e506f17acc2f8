import { CodedError } from '../../env/errors.js';

/**
 * Machine-readable causes of a game that cannot be played.
 *
 * - `play-agent`: an opponent that could not be loaded, or failed while it thought;
 * - `play-resume`: a file that holds no game to go on with;
 * - `play-side`: an unknown side; `play-number`: a number out of its range.
 */
export type PlayErrorCode = 'play-agent' | 'play-resume' | 'play-side' | 'play-number';

/** Thrown for a game that cannot be played as the options or the file say. */
export class PlayError extends CodedError<PlayErrorCode> {
  override readonly name = 'PlayError';
}
