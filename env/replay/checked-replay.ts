import { ClockError, NotationError } from '../errors.js';
import { type Game, isGame } from '../game.js';
import { describeValue } from '../text/described-value.js';
import {
  positionAfter as positionOf,
  type Replay,
  type ReplayResult,
  replayMoves as replay,
} from './replay.js';

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
function expectReplay(game: unknown, replay: unknown): void {
  if (!isGame(game)) {
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

/**
 * `replayMoves` (replay.ts) for programs without types.
 *
 * @throws as it does, and NotationError `game-invalid`, `request-syntax` for arguments of other types; ClockError
 *   `seconds-range`.
 */
export function replayMoves<State>(game: Game<State>, moves: Replay): ReplayResult {
  expectReplay(game, moves);
  return replay(game, moves);
}

/**
 * `positionAfter` (replay.ts) for programs without types.
 *
 * @throws as it does, and as `replayMoves` does.
 */
export function positionAfter<State>(game: Game<State>, moves: Omit<Replay, 'force'>): State {
  expectReplay(game, moves);
  return positionOf(game, moves);
}
