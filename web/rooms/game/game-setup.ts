import type { Player } from '../../../env/game.js';
import { type Level, levelsOf, MODEL, type OpponentKind } from '../../../session/levels.js';

/** The player of one side: a person at this screen, or the computer at a level, an index of `levelsOf`. */
export type Seat =
  | { readonly kind: 'person' }
  | { readonly kind: 'computer'; readonly opponent: OpponentKind; readonly level: number };

/** The choices for a new game. */
export interface GameSetup {
  readonly game: string;
  readonly rules: string;
  /** Text of the first position; absent: the game's own. */
  readonly position?: string | undefined;
  /** Players 0 and 1. */
  readonly seats: readonly [Seat, Seat];
}

/** A person at this screen. */
export const PERSON: Seat = { kind: 'person' };

/** The side that a person plays against the computer; null if both or none do. */
export function personOf({ seats }: GameSetup): Player | null {
  const isPerson = seats.map(({ kind }) => kind === 'person');
  if (isPerson[0] === isPerson[1]) return null;
  return isPerson[0] ? 0 : 1;
}

/** Whether a computer's level uses a network. */
export function needsModel({ opponent, level }: Extract<Seat, { kind: 'computer' }>): boolean {
  return levelsOf(opponent)[level]!.agent.includes(MODEL);
}

/** The level of alpha-beta that replaces a missing network of this level. */
function substituteLevel(level: number): Level {
  const levels = levelsOf('alpha-beta');
  return levels[Math.min(level, levels.length - 1)]!;
}

/**
 * The name of a seat.
 *
 * @param hasSubstitute whether alpha-beta replaces the network.
 */
export function seatName(seat: Seat, isAlone: boolean, hasSubstitute: boolean): string {
  if (seat.kind === 'person') return isAlone ? 'You' : 'Person';
  const { opponent, level } = seat;
  if (opponent === 'alpha-beta') return `Alpha-beta · ${levelsOf(opponent)[level]!.name}`;
  return hasSubstitute
    ? `Alpha-beta · ${substituteLevel(level).name} (no network knows these rules)`
    : `Network · ${levelsOf(opponent)[level]!.name}`;
}

/**
 * The text of a computer's agent.
 *
 * @param model name of the model's file; undefined if there is none for the game's rules: alpha-beta then plays.
 */
export function agentOf(seat: Extract<Seat, { kind: 'computer' }>, model: string | undefined): string {
  const { agent } = levelsOf(seat.opponent)[seat.level]!;
  if (!needsModel(seat)) return agent;
  return model === undefined ? substituteLevel(seat.level).agent : agent.replace(MODEL, model);
}
