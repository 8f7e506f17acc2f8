import type { Player } from '../../env/game.js';
import { levelsOf, MODEL, type OpponentKind } from '../../session/levels.js';

/** Who plays one side: somebody at this screen, or the computer at a level, an index of `levelsOf`. */
export type Seat =
  | { readonly kind: 'person' }
  | { readonly kind: 'computer'; readonly opponent: OpponentKind; readonly level: number };

/** What a new game is made from. */
export interface GameSetup {
  readonly game: string;
  readonly rules: string;
  /** Text of the first position; absent: the game's own. */
  readonly position?: string | undefined;
  /** Players 0 and 1. */
  readonly seats: readonly [Seat, Seat];
}

/** Somebody at this screen. */
export const PERSON: Seat = { kind: 'person' };

/** The side that a person plays against the computer; null if both or none do. */
export function personOf({ seats }: GameSetup): Player | null {
  const isPerson = seats.map(({ kind }) => kind === 'person');
  if (isPerson[0] === isPerson[1]) return null;
  return isPerson[0] ? 0 : 1;
}

/** What a seat is called. */
export function seatName(seat: Seat, isAlone: boolean): string {
  if (seat.kind === 'person') return isAlone ? 'You' : 'Person';
  const { name } = levelsOf(seat.opponent)[seat.level]!;
  return `${seat.opponent === 'network' ? 'Network' : 'Alpha-beta'} · ${name}`;
}

/**
 * The text of a computer's agent.
 *
 * @param model name of the model's file; undefined if there is none for the game's rules, so that alpha-beta takes over.
 */
export function agentOf(seat: Extract<Seat, { kind: 'computer' }>, model: string | undefined): string {
  const { agent } = levelsOf(seat.opponent)[seat.level]!;
  if (!agent.includes(MODEL)) return agent;
  if (model !== undefined) return agent.replace(MODEL, model);
  const weaker = levelsOf('alpha-beta');
  return weaker[Math.min(seat.level, weaker.length - 1)]!.agent;
}
