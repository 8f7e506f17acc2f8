import type { Action, Player } from '../../env/game.js';

/** A planned game of a match; plain JSON. */
export interface GamePlan {
  /** Number of the pair: one opening, played twice with colours exchanged. */
  readonly pair: number;
  /** The first agent's player. */
  readonly agentPlayer: Player;
  /** Legal moves before the agents play; they do not end the game. */
  readonly opening: readonly Action[];
}

/** The game of a match that a plan or a played game is. */
export type GameOfMatch = Pick<GamePlan, 'pair' | 'agentPlayer'>;

/** Identifies a game of a match among its games. */
export function keyOfGame({ pair, agentPlayer }: GameOfMatch): number {
  return 2 * pair + agentPlayer;
}

/** Longest thinking time of a move: eleven days, up to which records hold whole microseconds exactly. */
export const MAX_MOVE_SECONDS = 1e6;

/** Microseconds in a second: times in records are whole microseconds. */
export const MICRO = 1e6;

/** A thinking time in milliseconds as the seconds that a record has, and that a clock loses. */
export function secondsOf(ms: number): number {
  return Math.round(1000 * ms) / MICRO;
}

/** A move of an agent in a match. */
export interface MatchMove {
  readonly action: Action;
  /** The agent that made it: 0 for the first one, 1 for its opponent. */
  readonly side: 0 | 1;
  /** Thinking time in milliseconds; the mean of the batch if several games shared one. */
  readonly ms: number;
  /** Value in [-1, 1] to the player who moved; absent if the agent reports none. */
  readonly value?: number | undefined;
}

/** Faults by which an agent forfeits a game: an illegal move, the end of its program, or no answer. */
export const FAULTS = ['illegal', 'disconnect', 'stall'] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * Ways in which a game ends: by the rules, at the ply limit, by a move that exceeded the agent's time limit and the
 * margin or ran out its player's clock, or by a fault of another program.
 */
export const GAME_ENDS = ['rules', 'plies', 'time', ...FAULTS] as const;
export type GameEnd = (typeof GAME_ENDS)[number];

/** A side's loss for a reason outside the rules of the game. */
export interface Forfeit {
  readonly side: 0 | 1;
  readonly end: 'time' | Fault;
  /** A description of the fault. */
  readonly fault?: string;
}

/** A finished game of a match; plain JSON. */
export interface MatchGame extends GamePlan {
  /** The agents' moves; in a game that ended by time, the last one was not played. */
  readonly moves: readonly MatchMove[];
  readonly end: GameEnd;
  /** Points of the first agent; at the ply limit each agent gets half a point. */
  readonly points: 0 | 0.5 | 1;
  /** A description of the fault that ended the game. */
  readonly fault?: string;
}

/** Receives what happens to the games of a match while they are played. */
export interface MatchListener {
  /** A game has ended. A repeated game, whose process died, replaces the earlier one. */
  readonly onGame: (game: MatchGame) => void;
  /** Games that have ended do not count, because the machine that sent them lied; they are played again. */
  readonly onRemoved: (games: readonly GameOfMatch[]) => void;
}
