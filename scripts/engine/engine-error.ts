import { CodedError } from '../../env/errors.js';

/**
 * Machine-readable causes of a refused line of an engine's input.
 *
 * - `engine-command`: an unknown command; `engine-syntax`: a known one with wrong words;
 * - `engine-option`: an unknown option, or a value out of its range;
 * - `engine-busy`: a command that has to wait until the search has ended;
 * - `engine-size`: a line that is too long.
 */
export type EngineErrorCode =
  'engine-command' | 'engine-syntax' | 'engine-option' | 'engine-busy' | 'engine-size';

/** Thrown for a line that an engine cannot execute; the engine reports it and reads the next line. */
export class EngineError extends CodedError<EngineErrorCode> {
  override readonly name = 'EngineError';
}
