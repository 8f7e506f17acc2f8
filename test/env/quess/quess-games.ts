import { type Game, listActions } from '../../../env/game.js';
import { type QuessPosition, RECORD_SIZE } from '../../../env/quess/quess-position.js';
import { createQuess } from '../../../env/quess/quess.js';
import { positionAfter, replayMoves } from '../../../env/replay/replay.js';

/** Quess without clocks. */
export const quess = createQuess();
/** Quess with clocks. */
export const timed = createQuess({ rules: 'standard,clock=180' });
/** The board of the start, without the player to move. */
export const START = '3tcs/4tc/5t/T5/CT4/SCT3';

/** The state after some moves. */
export function after(moves: string, position?: string, game: Game<QuessPosition> = quess): QuessPosition {
  return positionAfter(game, { moves, position });
}

/** The legal moves' texts, sorted. */
export function legalTexts(state: QuessPosition, game: Game<QuessPosition> = quess): string[] {
  return Array.from(listActions(game, state), (action) => game.formatAction(action)).sort();
}

/** The outcome after some moves. */
export function outcomeAfter(
  moves: string,
  position: string,
  game: Game<QuessPosition> = quess,
): number | null {
  return game.outcome(after(moves, position, game));
}

/** Why the first illegal one of some moves is illegal; null if all are legal. */
export function reasonFor(moves: string, position?: string): string | null {
  return replayMoves(quess, { moves, position }).reason;
}

/** Every byte of the state, with only the used records. */
export function bytes(state: QuessPosition): QuessPosition {
  return structuredClone({ ...state, records: state.records.slice(0, state.historyLength * RECORD_SIZE) });
}
