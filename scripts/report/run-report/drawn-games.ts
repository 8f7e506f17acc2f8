import type { DrawnPiece } from '../../../env/diagrams/board-drawing.js';
import type { Game } from '../../../env/game.js';
import type { SampleGame } from './sample-games.js';

/** A game as the page's script reads it. */
interface DrawnGame {
  readonly title: string;
  readonly end: string;
  /** One letter per square, row by row from the top: `.` or a piece of `PIECE_LETTERS`; or the board as text. */
  readonly boards: readonly string[];
  readonly moves: readonly (string | null)[];
}

/** The board that all games share. */
interface DrawnBoard {
  readonly rows: number;
  readonly columns: number;
  readonly rowNames: readonly string[];
  readonly columnNames: readonly string[];
  /** Fills of the squares as numbers of `colors`, row by row. */
  readonly fills: readonly number[];
  readonly colors: readonly string[];
  readonly pieces: readonly [string, string];
  readonly hole: string | null;
}

/** The games that the page's script steps through. */
export interface DrawnGames {
  /** Null for games that are drawn as text. */
  readonly board: DrawnBoard | null;
  readonly games: readonly DrawnGame[];
}

/** Letters of the shapes, for players 0 and 1. */
const PIECE_LETTERS: Readonly<Record<DrawnPiece['shape'], readonly [string, string]>> = {
  disc: ['d', 'D'],
  triangle: ['t', 'T'],
  square: ['s', 'S'],
};

function boardOf(game: Game<unknown>): DrawnBoard | null {
  const drawing = game.draw?.(game.initialState());
  if (drawing === undefined) return null;
  const { rows, rowNames, columnNames, pieceFills, holeFill } = drawing;
  const fills = rows.flat().map(({ fill }) => fill);
  const colors = [...new Set(fills)];
  return {
    rows: rows.length,
    columns: rows[0]!.length,
    rowNames,
    columnNames,
    fills: fills.map((fill) => colors.indexOf(fill)),
    colors,
    pieces: pieceFills,
    hole: holeFill ?? null,
  };
}

function lettersOf(game: Game<unknown>, state: unknown): string {
  const drawing = game.draw?.(state);
  if (drawing === undefined) return game.render(state);
  return drawing.rows
    .flat()
    .map(({ piece }) => (piece === undefined ? '.' : PIECE_LETTERS[piece.shape][piece.player]))
    .join('');
}

/** Games as data for a page, with one letter per square. */
export function drawGames(game: Game<unknown>, games: readonly SampleGame[]): DrawnGames {
  return {
    board: boardOf(game),
    games: games.map(({ title, end, positions }) => ({
      title,
      end,
      boards: positions.map(({ state }) => lettersOf(game, state)),
      moves: positions.map(({ move }) => move),
    })),
  };
}
