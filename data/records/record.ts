import type { Game } from '../../env/game.js';
import { firstState, nameOutcome, parseMoves, type Replay } from '../../env/replay/replay.js';
import { DataError } from '../data-error.js';

/** Values of the SGF properties without a field of their own, by name. */
export type RecordProperties = Readonly<Record<string, readonly string[]>>;

/** A move of a record; without `move`, a comment between moves. */
export interface RecordMove {
  /** In canonical notation. */
  readonly move?: string | undefined;
  readonly comment?: string | undefined;
  /** Seconds that the player took, 0 or more. */
  readonly seconds?: number | undefined;
  readonly properties?: RecordProperties | undefined;
  /** Other lines from the position before this move. Their first moves have no variations of their own. */
  readonly variations?: readonly RecordLine[] | undefined;
}

/** A sequence of moves. */
export type RecordLine = readonly RecordMove[];

/**
 * A game as people record it: players, date, rules, and moves with comments and variations. Its moves may be illegal.
 * Texts are not empty; their lines end with a line feed.
 */
export interface GameRecord {
  readonly game: string;
  /** Canonical rules text. */
  readonly rules: string;
  /** Names of players 0 and 1. */
  readonly players?: readonly [string | null, string | null] | undefined;
  readonly event?: string | undefined;
  readonly date?: string | undefined;
  /** The winner's name with `+` and the reason if known (`black+R`: White resigned), `draw`, or other words. */
  readonly result?: string | undefined;
  /** Comment on the whole game. */
  readonly comment?: string | undefined;
  /** The first position, canonical. Defaults to the game's initial position. */
  readonly position?: string | undefined;
  readonly properties?: RecordProperties | undefined;
  /** The main line. */
  readonly moves: RecordLine;
}

/** Options of reading a record. */
export interface ReadOptions {
  /** Rules that override those of the record. */
  readonly rules?: string | undefined;
  /** Number of the game in a file with several, from 1. */
  readonly number?: number | undefined;
}

/** A copy without undefined fields, so that equal records have equal fields. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Maximum nesting of variations in records read or written. */
export const MAX_VARIATION_DEPTH = 100;

/**
 * @param depth number of enclosing variations of a line.
 * @throws DataError `record-too-deep`.
 */
export function expectDepth(depth: number): void {
  if (depth <= MAX_VARIATION_DEPTH) return;
  throw new DataError('record-too-deep', `expected at most ${MAX_VARIATION_DEPTH} nested variations`);
}

/**
 * A position in the form of a record: canonical, undefined for the game's initial position.
 *
 * @throws NotationError for an unreadable position.
 */
export function recordPosition(game: Game<unknown>, text: string): string | undefined {
  const canonical = game.formatPosition(game.parsePosition(text));
  return canonical === game.formatPosition(game.initialState()) ? undefined : canonical;
}

/**
 * A record of moves, with the result if they end the game. Illegal moves are recorded.
 *
 * @throws NotationError for an unreadable move or position.
 */
export function recordMoves(game: Game<unknown>, { moves, position, force }: Replay): GameRecord {
  const actions = parseMoves(game, moves);
  const state = firstState(game, position);
  for (const action of actions) {
    if (!game.isLegal(state, action) && !(force === true && game.canForce?.(state, action) === true)) break;
    game.apply(state, action);
  }
  const result = nameOutcome(game, state);
  const start = position === undefined ? undefined : recordPosition(game, position);
  return {
    game: game.id,
    rules: game.rules,
    ...(result !== null && { result }),
    ...(start !== undefined && { position: start }),
    moves: actions.map((action) => ({ move: game.formatAction(action) })),
  };
}

/** The main line as the input of a replay. */
export function mainLine({ moves, position }: GameRecord): Replay {
  const played = moves.filter(({ move }) => move !== undefined);
  return {
    moves: played.map(({ move }) => move).join(' '),
    position,
    seconds: played.map(({ seconds }) => seconds ?? 0),
  };
}
