import { IllegalActionError, NotationError } from './errors.js';
import type { Action, Game } from './game.js';

/** A record of a game, or a part of one. */
export interface Replay {
  /** Moves, with white space between them. */
  readonly moves: string;
  /** Where it starts; left out, at the game's initial position. */
  readonly position?: string | undefined;
  /** What each move took off its player's clock, where the game has one; moves without a number took no time. */
  readonly seconds?: readonly number[] | undefined;
  /** Whether to play illegal moves too, as far as the game can, rather than stop. */
  readonly force?: boolean | undefined;
}

/** What became of it. The game's `describe` of the last position is added to it. */
export interface ReplayResult {
  readonly legal: boolean;
  /** The first illegal move, counted from 0. */
  readonly illegalPly: number | null;
  readonly reason: string | null;
  /** The winner's name, or `draw`; null while the game goes on. */
  readonly outcome: string | null;
  /** Legal actions before each move that was played and, last, after all of them. */
  readonly legalCounts: readonly number[];
  /** The last position. */
  readonly position: string;
}

/**
 * The actions that a list of moves names.
 *
 * @throws NotationError `action-syntax`, with the place in the list.
 */
export function parseMoves<State>(game: Game<State>, moves: string): Action[] {
  const texts = moves.split(/\s+/).filter((text) => text !== '');
  return texts.map((text, ply) => {
    try {
      return game.parseAction(text);
    } catch (error) {
      if (!(error instanceof NotationError)) throw error;
      throw new NotationError(error.code, `move ${ply} (from 0): ${error.message}`, { cause: error });
    }
  });
}

/** The winner's name, or `draw`; null while the game goes on. */
export function nameOutcome<State>(game: Game<State>, state: State): string | null {
  const outcome = game.outcome(state);
  if (outcome === null) return null;
  return outcome === 0 ? 'draw' : game.playerNames[outcome === 1 ? 0 : 1];
}

/** Says of an action that is not legal that it is not, and why. */
export function explainIllegal<State>(game: Game<State>, state: State, action: Action): string {
  const name = game.playerNames[game.currentPlayer(state)];
  const why =
    game.outcome(state) !== null ? 'comes after the end of the game' : game.explainIllegal?.(state, action);
  return `${game.formatAction(action)} of ${name} ${why ?? 'is not legal'}`;
}

/**
 * Plays a record.
 *
 * @throws NotationError where a text cannot be read; an illegal move is a result.
 */
export function replayMoves<State>(game: Game<State>, replay: Replay): ReplayResult {
  const state = replay.position === undefined ? game.initialState() : game.parsePosition(replay.position);
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
    legal: illegalPly === null,
    illegalPly,
    reason,
    outcome: nameOutcome(game, state),
    legalCounts,
    ...game.describe?.(state),
    position: game.formatPosition(state),
  };
}

/**
 * The position after some moves, with these moves as its history.
 *
 * @throws NotationError where a text cannot be read.
 * @throws IllegalActionError `illegal-action`, `game-over`, with the place in the list.
 */
export function positionAfter<State>(game: Game<State>, replay: Omit<Replay, 'force'>): State {
  const state = replay.position === undefined ? game.initialState() : game.parsePosition(replay.position);
  for (const [ply, action] of parseMoves(game, replay.moves).entries()) {
    if (!game.isLegal(state, action)) {
      const code = game.outcome(state) === null ? 'illegal-action' : 'game-over';
      const why = explainIllegal(game, state, action);
      throw new IllegalActionError(code, `expected legal moves; move ${ply} (from 0), ${why}`);
    }
    game.apply(state, action);
  }
  return state;
}
