import { ClockError, NotationError } from '../errors.js';
import { describeValue } from '../text/described-value.js';

/** A record of a whole game or a part of one. */
export interface Replay {
  /** Moves, with white space between them. */
  readonly moves: string;
  /** The first position. Defaults to the game's initial position. */
  readonly position?: string | undefined;
  /**
   * Seconds, 0 or more, that each move took off its player's clock, in games with clocks; 0 for moves beyond the list.
   */
  readonly seconds?: readonly number[] | undefined;
  /**
   * Whether to continue past illegal moves that the game can force. Defaults to false: stop at the first one.
   */
  readonly force?: boolean | undefined;
}

const NAMES: readonly string[] = ['moves', 'position', 'seconds', 'force'] satisfies (keyof Replay)[];

/** Whether a value has the form of a `Replay`, except for the elements of `seconds`. */
function isReplay(value: unknown): value is Replay {
  if (typeof value !== 'object' || value === null) return false;
  const { moves, position = '', seconds = [] } = value as Readonly<Record<string, unknown>>;
  if (typeof moves !== 'string' || typeof position !== 'string' || !Array.isArray(seconds)) return false;
  return Object.keys(value).every((name) => NAMES.includes(name));
}

/**
 * Checks the arguments of a replay.
 *
 * @throws NotationError `game-invalid`, `request-syntax`; ClockError `seconds-range`.
 */
export function expectReplay(game: unknown, replay: unknown): void {
  if (typeof game !== 'object' || game === null || !('legalActions' in game)) {
    throw new NotationError('game-invalid', `expected a game, got ${describeValue(game)}`);
  }
  if (!isReplay(replay)) {
    const expected = `expected { moves, position?, seconds? }, two texts and an array`;
    throw new NotationError('request-syntax', `${expected}, got ${describeValue(replay)}`);
  }
  const wrong = replay.seconds?.find(
    (seconds: unknown) => !(Number.isFinite(seconds) && Number(seconds) >= 0),
  );
  if (wrong === undefined) return;
  throw new ClockError('seconds-range', `expected seconds, 0 or more, got ${describeValue(wrong)}`);
}
