import type { BoardDrawing } from '../../../env/diagrams/board-drawing.js';
import { countDrawnPieces } from '../../../env/diagrams/board-drawing.js';
import { NotationError } from '../../../env/errors.js';
import { firstState } from '../../../env/replay/replay.js';
import { visibleText } from '../../../env/text/quoted-text.js';
import type { PlayTable, TableView } from '../play-table.js';
import { boardSize, paintBoard } from './board-painting.js';
import { FOOT_LINES, type FrameLayout, GAP_COLUMNS, layOutFrame, type TerminalSize } from './frame-layout.js';
import { briefStatus, sideText } from './side-text.js';
import { inkText } from '../../terminal/terminal-colors.js';
import type { TerminalFacts } from '../../terminal/terminal-facts.js';
import { wrapText } from '../../text/wrapped-text.js';
import { cutText } from '../../text/columns.js';

/** Answers with more lines than this replace the board until the next entry. */
const LONG_ANSWER = 7;

/** Fewest lines below the board that hold the text beside it. */
const LEAST_BELOW = 5;

/** Last line of an answer that replaces the board. */
const GO_BACK = 'Press Enter to go back to the board.';

/** Keys and commands, on the last line. */
const STATUS = 'Tab completes · help · hint · undo · analyze · quit';

/** A board as lines, and its size. */
interface ShownBoard {
  readonly lines: readonly string[];
  readonly size: TerminalSize;
}

/** Composes the lines of the screen: the board, the text beside it, and the status below the prompt. */
export class ScreenView implements TableView {
  private readonly table: PlayTable;
  private readonly facts: TerminalFacts;
  private readonly onChange: () => void;
  private answer: readonly string[] = [];
  /** Text of the last line instead of the keys, such as the candidates of a completion. */
  private note: string | undefined;
  /** Whether there is room for the text beside the board. */
  private hasRoom = true;
  /** The square of the piece in the line that is being typed. */
  private typed: string | undefined;

  /** @param onChange called when the screen should be drawn again. */
  constructor(table: PlayTable, facts: TerminalFacts, onChange: () => void) {
    this.table = table;
    this.facts = facts;
    this.onChange = onChange;
  }

  update(): void {
    this.onChange();
  }

  tell(lines: readonly string[]): void {
    this.answer = lines.map(visibleText);
    this.onChange();
  }

  /** Forgets the last answer: another line has been entered. */
  clearAnswer(): void {
    this.answer = [];
    this.note = undefined;
  }

  /** Shows a text on the last line until the next entry; undefined: the keys. */
  setNote(note: string | undefined): void {
    if (this.note === note) return;
    this.note = note;
    this.onChange();
  }

  /** Marks the piece whose move is being typed, if the text before the dash is a square with a move. */
  setTyped(line: string): void {
    const square = /^\s*([a-z]\d{1,2})(?:-.*)?$/i.exec(line)?.[1];
    if (square === this.typed) return;
    this.typed = square;
    this.onChange();
  }

  /** The lines of the screen for a terminal of a size; undefined for the line of the prompt. */
  lines(terminal: TerminalSize): readonly (string | undefined)[] {
    this.hasRoom = true;
    const frame = this.isLong ? this.page(terminal) : this.frame(terminal);
    const height = Math.max(0, terminal.lines - FOOT_LINES);
    const padded = Array.from({ length: height }, (_, index) => frame[index] ?? '');
    return [...padded, undefined, this.statusLine(terminal.columns)];
  }

  private get isLong(): boolean {
    return this.answer.length > LONG_ANSWER;
  }

  private statusLine(columns: number): string {
    const keys = this.hasRoom ? STATUS : (this.answer[0] ?? briefStatus(this.table));
    return inkText(cutText(this.note ?? this.ascii(keys), columns - 1), { dim: true }, this.facts.depth);
  }

  private ascii(text: string): string {
    return this.facts.isUnicode ? text : text.replaceAll('·', '-').replaceAll('…', '...');
  }

  /** The lines of a long answer, which replaces the board. */
  private page({ columns, lines }: TerminalSize): readonly string[] {
    const wrapped = this.answer.flatMap((line) => wrapText(line, columns - 1, '    '));
    const room = Math.max(0, lines - FOOT_LINES - 2);
    const shown = wrapped.length > room ? [...wrapped.slice(0, Math.max(0, room - 1)), '…'] : wrapped;
    return [...shown, '', GO_BACK].map((line) => this.ascii(line));
  }

  private frame(terminal: TerminalSize): readonly string[] {
    const drawing = this.drawing();
    const text = drawing === undefined ? this.boardText() : undefined;
    const layout = layOutFrame(drawing ?? text!.size, terminal, this.facts.isUnicode);
    if (layout.scale === undefined) return this.tooSmall(drawing, terminal);
    const board = text?.lines ?? paintBoard(drawing!, layout.scale, this.facts);
    const beside = this.beside(layout, drawing, terminal.columns);
    this.hasRoom = layout.sideColumns > 0 || layout.belowLines >= LEAST_BELOW;
    if (layout.sideColumns === 0) return [...board, ...beside];
    const gap = ' '.repeat(GAP_COLUMNS);
    const height = Math.max(board.length, beside.length);
    const blank = ' '.repeat(text?.size.columns ?? terminal.columns);
    return Array.from({ length: height }, (_, index) => {
      const line =
        board[index] ?? (text === undefined ? ' '.repeat(boardSize(drawing!, layout.scale!).columns) : blank);
      return `${line}${gap}${beside[index] ?? ''}`;
    });
  }

  private beside(layout: FrameLayout, drawing: BoardDrawing | undefined, columns: number): readonly string[] {
    const { table, facts, answer } = this;
    const area =
      layout.sideColumns > 0
        ? { columns: layout.sideColumns, lines: layout.lines }
        : { columns: columns - 1, lines: layout.belowLines };
    const first = this.drawFirst();
    const firstPieces = first === undefined ? undefined : countDrawnPieces(first);
    return sideText({ table, drawing, firstPieces, answer, facts }, area).map((line) => this.ascii(line));
  }

  private tooSmall(drawing: BoardDrawing | undefined, { columns, lines }: TerminalSize): readonly string[] {
    const text = `The board does not fit into ${columns} x ${lines}: enlarge the terminal, preferably to 80 x 24 or more.`;
    const beside = this.beside(
      { scale: undefined, lines, sideColumns: 0, belowLines: Math.max(0, lines - 4) },
      drawing,
      columns,
    );
    return [...wrapText(text, Math.max(10, columns - 1)), ...beside];
  }

  /** The board as squares, with the chosen piece; undefined without colours, and in games that do not draw squares. */
  private drawing(): BoardDrawing | undefined {
    if (this.facts.depth === 1) return undefined;
    const { game, session } = this.table;
    return game.draw?.(session.state, { piece: this.pieceOf() });
  }

  private drawFirst(): BoardDrawing | undefined {
    const { game, start } = this.table.session;
    return game.draw?.(firstState(game, start));
  }

  /** The board as the game writes it, without the facts below it. */
  private boardText(): ShownBoard {
    const { game, session } = this.table;
    const [board = ''] = game.render(session.state, { piece: this.pieceOf() }).split('\n\n');
    const lines = board.split('\n').map(visibleText);
    const columns = Math.max(...lines.map(({ length }) => length));
    return { lines: lines.map((line) => line.padEnd(columns)), size: { columns, lines: lines.length } };
  }

  /** The piece to mark: the one being typed, if there is such a square, or the chosen one. */
  private pieceOf(): string | undefined {
    const { game, session, chosen } = this.table;
    if (this.typed === undefined) return chosen;
    try {
      game.render(session.state, { piece: this.typed });
      return this.typed;
    } catch (error) {
      if (error instanceof NotationError) return chosen;
      throw error;
    }
  }
}
