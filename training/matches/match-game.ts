import type { Action, Player } from '../../env/game.js';

/** A game of a match to be played; plain JSON. */
export interface GamePlan {
  /** Number of the pair: one opening, played twice with colours exchanged. */
  readonly pair: number;
  /** The first agent's player. */
  readonly agentPlayer: Player;
  /** Legal moves before the agents play; they leave the game open. */
  readonly opening: readonly Action[];
}

/** A move of an agent in a match. */
export interface MatchMove {
  readonly action: Action;
  /** The agent that made it: 0 the first one, 1 its opponent. */
  readonly side: 0 | 1;
  /** Thinking time in milliseconds; the mean of the batch where several games were thought about at once. */
  readonly ms: number;
  /** In [-1, 1] to the player who moved; absent if the agent has none. */
  readonly value?: number | undefined;
}

/** Ends of a game that an agent forfeits by a fault: an illegal move, the end of its program, or no answer of it. */
export const FAULTS = ['illegal', 'disconnect', 'stall'] as const;
export type Fault = (typeof FAULTS)[number];

/**
 * The end of a game: by the rules, at the ply limit, by a move that took longer than the agent's time limit and the margin, or
 * by a fault of another program.
 */
export const GAME_ENDS = ['rules', 'plies', 'time', ...FAULTS] as const;
export type GameEnd = (typeof GAME_ENDS)[number];

/** How a side has lost a game without the rules. */
export interface Forfeit {
  readonly side: 0 | 1;
  readonly end: 'time' | Fault;
  /** A description of the fault. */
  readonly fault?: string;
}

/** A finished game of a match; plain JSON. */
export interface MatchGame extends GamePlan {
  /** The agents' moves; of a game that ended by time, the last one was not played. */
  readonly moves: readonly MatchMove[];
  readonly end: GameEnd;
  /** Points of the first agent; at the ply limit half a point for each agent. */
  readonly points: 0 | 0.5 | 1;
  /** A description of the fault that ended the game. */
  readonly fault?: string;
}
