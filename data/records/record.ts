import type { Game } from '../../env/game.js';
import { nameOutcome, parseMoves, type Replay } from '../../env/replay.js';

/** SGF properties that have no field of their own, by name, each with its values. */
export type RecordProperties = Readonly<Record<string, readonly string[]>>;

/** A move of a record, or, without `move`, a place that has only words. */
export interface RecordMove {
  /** As the game writes it. */
  readonly move?: string | undefined;
  readonly comment?: string | undefined;
  /** Time that the player took for it, 0 or more. */
  readonly seconds?: number | undefined;
  readonly properties?: RecordProperties | undefined;
  /** Other lines from the position before this move. Their first moves have no variations: these stand here. */
  readonly variations?: readonly RecordLine[] | undefined;
}

/** Moves that follow each other. */
export type RecordLine = readonly RecordMove[];

/**
 * A game as people write it down: who, when, by which rules, the moves with comments and variations.
 * Nothing says that its moves are legal. Texts are not empty; lines in them end with a line feed.
 */
export interface GameRecord {
  readonly game: string;
  /** Canonical. */
  readonly rules: string;
  /** Names of players 0 and 1. */
  readonly players?: readonly [string | null, string | null] | undefined;
  readonly event?: string | undefined;
  readonly date?: string | undefined;
  /** The winner's name, `+` and how if that is known (`black+R`: White resigned), `draw`, or other words. */
  readonly result?: string | undefined;
  /** On the game as a whole. */
  readonly comment?: string | undefined;
  /** Where it starts, canonical; left out, at the game's initial position. */
  readonly position?: string | undefined;
  readonly properties?: RecordProperties | undefined;
  /** The main line. */
  readonly moves: RecordLine;
}

/** What can be chosen about reading a record. */
export interface ReadOptions {
  /** Rules in place of those that the record names. */
  readonly rules?: string | undefined;
  /** Which game of a file with several, from 1. */
  readonly number?: number | undefined;
}

/** Without the fields that are undefined, so that equal records have equal fields. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** Deepest variations of variations that are read or written. */
export const MAX_VARIATION_DEPTH = 100;

/** A position as a record holds it: canonical, undefined for the game's initial one. Throws `NotationError`. */
export function recordPosition(game: Game<unknown>, text: string): string | undefined {
  const canonical = game.formatPosition(game.parsePosition(text));
  return canonical === game.formatPosition(game.initialState()) ? undefined : canonical;
}

/**
 * A record of moves without comments; of a game that they end, with the result.
 *
 * @throws NotationError where a text cannot be read. Illegal moves are recorded.
 */
export function recordMoves(game: Game<unknown>, { moves, position, force }: Replay): GameRecord {
  const actions = parseMoves(game, moves);
  const state = position === undefined ? game.initialState() : game.parsePosition(position);
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

/** The main line as a replay takes it. */
export function mainLine({ moves, position }: GameRecord): Replay {
  const played = moves.filter(({ move }) => move !== undefined);
  return {
    moves: played.map(({ move }) => move).join(' '),
    position,
    seconds: played.map(({ seconds }) => seconds ?? 0),
  };
}
