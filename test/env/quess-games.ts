import type { Game } from '../../env/game.js';
import type { QuessPosition } from '../../env/quess/quess-position.js';
import { createQuess } from '../../env/quess/quess.js';
import { positionAfter } from '../../env/replay/replay.js';
import { listActions } from '../../env/environments/conformance/game-play.js';

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
