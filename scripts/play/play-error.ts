import { CodedError } from '../../env/errors.js';

/**
 * Machine-readable causes of a game that cannot be played.
 *
 * - `play-agent`: an agent that could not be loaded, or that failed during a search;
 * - `play-resume`: a file without a game to resume;
 * - `play-side`: an unknown side; `play-number`: a number out of its range.
 */
export type PlayErrorCode = 'play-agent' | 'play-resume' | 'play-side' | 'play-number';

/** Thrown for a game that cannot be played as the options or the file specify. */
export class PlayError extends CodedError<PlayErrorCode> {
  override readonly name = 'PlayError';
}
