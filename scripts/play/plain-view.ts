import type { Paint } from '../../env/game.js';
import { visibleLines } from '../../env/text/quoted-text.js';
import { describeEnd } from './end-text.js';
import type { PlayTable, TableView } from './play-table.js';

/**
 * Shows a table as a transcript: each move as a line, the board whenever a person is to move. For pipes, files, and
 * terminals without a cursor.
 */
export class PlainView implements TableView {
  private readonly table: PlayTable;
  private readonly write: (text: string) => void;
  private readonly paint: Paint | undefined;
  /** The moves written so far. */
  private shown: string[] = [];
  /** The board and the end written last. */
  private drawn = '';

  /** @param write receives each text, without a line end. */
  constructor(table: PlayTable, write: (text: string) => void, paint?: Paint) {
    this.table = table;
    this.write = write;
    this.paint = paint;
  }

  update(): void {
    const { session, chosen, thinking } = this.table;
    if (thinking !== undefined) return;
    this.writeMoves();
    if (session.awaitsAgent) return;
    const board = session.game.render(session.state, { piece: chosen, paint: this.paint });
    const end = describeEnd(session);
    const text = end === null ? board : `${board}\n\nThe game is over: ${end}.`;
    if (text === this.drawn) return;
    this.drawn = text;
    this.write(visibleLines(`\n${text}\n`, this.paint !== undefined));
  }

  tell(lines: readonly string[]): void {
    for (const line of lines) this.write(visibleLines(line));
  }

  /** Writes the moves that are new. */
  private writeMoves(): void {
    const { session } = this.table;
    const moves = session.moves.map(({ move }) => move!);
    const kept = moves.findIndex((move, index) => move !== this.shown[index]);
    const from = kept < 0 ? moves.length : kept;
    if (from < moves.length) this.writeFrom(from, moves);
    this.shown = moves;
  }

  /** Writes each move from `from` on, with the name of the player who made it. */
  private writeFrom(from: number, moves: readonly string[]): void {
    const { game, state } = this.table.session;
    const before = game.clone(state);
    while (game.historyLength(before) > from) game.undo(before);
    for (let index = from; index < moves.length; index++) {
      this.write(`${game.playerNames[game.currentPlayer(before)]} ${moves[index]!}`);
      game.apply(before, game.historyAction(state, index));
    }
  }
}
