import type { Outcome, Player } from '../../../env/game.js';
import type { PositionView } from '../../board/position-view.js';

/** The end of a game at the board. */
export interface GameEnd {
  readonly outcome: Outcome;
  readonly reason: 'rules' | 'resignation' | 'time';
}

/** `Black` for `black`. */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** `Black`. */
export function playerName({ table }: PositionView, player: Player): string {
  return capitalized(table.game.playerNames[player]);
}

function reasonWords(view: PositionView, winner: Player, reason: GameEnd['reason']): string {
  const loser = playerName(view, winner === 0 ? 1 : 0);
  switch (reason) {
    case 'resignation':
      return `${loser} resigned`;
    case 'time':
      return `${loser} ran out of time`;
    case 'rules':
      return view.table.game.id === 'gess' ? `${loser} has no ring left` : '';
  }
}

/** One sentence on the end of a game: `Black wins: White has no ring left.` */
export function endSentence(view: PositionView, { outcome, reason }: GameEnd): string {
  if (outcome === 0) return 'The game is drawn.';
  const winner: Player = outcome === 1 ? 0 : 1;
  const words = reasonWords(view, winner, reason);
  return `${playerName(view, winner)} wins${words === '' ? '' : `: ${words}`}.`;
}

/** One sentence on the last move: `White plays c15-c14 and captures 3.` */
export function moveSentence(view: PositionView): string {
  if (view.lastMove === null) return '';
  const { action, effect } = view.lastMove;
  const mover = playerName(view, view.player === 0 ? 1 : 0);
  const captured = effect.captured.length > 0 ? ` and captures ${effect.captured.length}` : '';
  const lost = effect.lost.length > 0 ? `, loses ${effect.lost.length} at the edge` : '';
  return `${mover} plays ${view.table.game.formatAction(action)}${captured}${lost}.`;
}
