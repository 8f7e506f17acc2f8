import { IllegalActionError, NotationError } from '../errors.js';
import type { Action, Game } from '../game.js';

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

/** The result of a replay, with the game's `describe` of the last position, which replaces none of these members. */
export interface ReplayResult {
  readonly legal: boolean;
  /** The first illegal move, counted from 0. */
  readonly illegalPly: number | null;
  readonly reason: string | null;
  /** The winner's name, or `draw`; null for an unfinished game. */
  readonly outcome: string | null;
  /** Number of legal actions before each move played and, last, in the final position. */
  readonly legalCounts: readonly number[];
  /** The last position. */
  readonly position: string;
}

/**
 * Parses a list of moves, separated by white space.
 *
 * @throws NotationError `action-syntax`; the message has the number of the move in the list, from 1.
 */
export function parseMoves<State>(game: Game<State>, moves: string): Action[] {
  const texts = moves.split(/\s+/).filter((text) => text !== '');
  return texts.map((text, ply) => {
    try {
      return game.parseAction(text);
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      throw new NotationError(error.code, `move ${ply + 1}: ${error.message}`, { cause: error });
    }
  });
}

/**
 * The position from which a record starts: the one of its text, or the game's initial position.
 *
 * @throws NotationError `position-*` for an unreadable text.
 */
export function firstState<State>(game: Game<State>, position: string | undefined): State {
  return position === undefined ? game.initialState() : game.parsePosition(position);
}

/** The winner's name, or `draw`; null for an unfinished game. */
export function nameOutcome<State>(game: Game<State>, state: State): string | null {
  const outcome = game.outcome(state);
  if (outcome === null) return null;
  return outcome === 0 ? 'draw' : game.playerNames[outcome === 1 ? 0 : 1];
}

/** @throws IllegalActionError `game-over` if no move can be made in a position, with the result. */
export function expectMoveToMake<State>(game: Game<State>, state: State): void {
  if (game.countLegalActions(state) > 0) return;
  const result = nameOutcome(game, state) ?? 'nobody';
  throw new IllegalActionError(
    'game-over',
    `expected a position with a move to make; the game is over: ${result}`,
  );
}

/** One sentence on an illegal action: the action, the player and the reason. */
export function explainIllegal<State>(game: Game<State>, state: State, action: Action): string {
  const name = game.playerNames[game.currentPlayer(state)];
  const why =
    game.outcome(state) !== null ? 'comes after the end of the game' : game.explainIllegal?.(state, action);
  return `${game.formatAction(action)} of ${name} ${why ?? 'is not legal'}`;
}

/**
 * Plays the moves of a record; an illegal move is reported in the result.
 *
 * @throws NotationError `action-syntax`, `position-*` if a text cannot be parsed.
 */
export function replayMoves<State>(game: Game<State>, replay: Replay): ReplayResult {
  const state = firstState(game, replay.position);
  const legalCounts = [game.countLegalActions(state)];
  let illegalPly: number | null = null;
  let reason: string | null = null;
  for (const [ply, action] of parseMoves(game, replay.moves).entries()) {
    game.spendTime?.(state, replay.seconds?.[ply] ?? 0);
    if (!game.isLegal(state, action)) {
      illegalPly ??= ply;
      reason ??= explainIllegal(game, state, action);
      if (replay.force !== true || game.canForce?.(state, action) !== true) break;
    }
    game.apply(state, action);
    legalCounts.push(game.countLegalActions(state));
  }
  return {
    ...game.describe?.(state),
    legal: illegalPly === null,
    illegalPly,
    reason,
    outcome: nameOutcome(game, state),
    legalCounts,
    position: game.formatPosition(state),
  };
}

/**
 * The position after a list of moves, with them as its history.
 *
 * @throws as `replayMoves`.
 * @throws IllegalActionError `illegal-action`, `game-over`; the message has the number of the move in the list, from 1.
 */
export function positionAfter<State>(game: Game<State>, replay: Omit<Replay, 'force'>): State {
  const state = firstState(game, replay.position);
  for (const [ply, action] of parseMoves(game, replay.moves).entries()) {
    game.spendTime?.(state, replay.seconds?.[ply] ?? 0);
    if (!game.isLegal(state, action)) {
      const code = game.outcome(state) === null ? 'illegal-action' : 'game-over';
      const why = explainIllegal(game, state, action);
      throw new IllegalActionError(code, `expected legal moves; move ${ply + 1}: ${why}`);
    }
    game.apply(state, action);
  }
  return state;
}
