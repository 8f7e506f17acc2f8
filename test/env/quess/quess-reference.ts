/**
 * Quess once more, slow and literal: squares are their names, a board is a map from names to pieces, earlier
 * boards are texts in a list. Written from docs/reference/rules-quess.md, to be compared with the fast engine.
 */
export interface ReferenceGame {
  /** `T C S` light's triangles, circles and squares, `t c s` dark's, by the square they stand on. */
  readonly board: ReadonlyMap<string, string>;
  readonly mover: 'light' | 'dark';
  readonly ply: number;
  /** Texts of all boards shown so far, this one last. */
  readonly shown: readonly string[];
}

const ROWS = ['A', 'B', 'C', 'D', 'E', 'F'];
const COLUMNS = ['1', '2', '3', '4', '5', '6'];
const ZONES = {
  light: ['F1', 'E1', 'F2', 'D1', 'E2', 'F3'],
  dark: ['A6', 'A5', 'B6', 'A4', 'B5', 'C6'],
};

function boardText(board: ReadonlyMap<string, string>): string {
  return ROWS.map((row) =>
    COLUMNS.map((column) => board.get(row + column) ?? '.')
      .join('')
      .replace(/\.+/g, (run) => String(run.length)),
  ).join('/');
}

/** Parses a position's text; its board is the only earlier one. */
export function readReference(text: string): ReferenceGame {
  const [rows = '', mover, ply] = text.split(' ');
  const board = new Map<string, string>();
  rows.split('/').forEach((row, i) => {
    const squares = row.replace(/\d/g, (run) => '.'.repeat(Number(run)));
    squares.split('').forEach((piece, j) => {
      if (piece !== '.') board.set(ROWS[i]! + COLUMNS[j]!, piece);
    });
  });
  return { board, mover: mover === 'd' ? 'dark' : 'light', ply: Number(ply), shown: [boardText(board)] };
}

export function writeReference({ board, mover, ply }: ReferenceGame): string {
  return `${boardText(board)} ${mover === 'light' ? 'l' : 'd'} ${ply}`;
}

function sideOf(piece: string): 'light' | 'dark' {
  return piece === piece.toUpperCase() ? 'light' : 'dark';
}

function opponentOf(side: 'light' | 'dark'): 'light' | 'dark' {
  return side === 'light' ? 'dark' : 'light';
}

/** The square a number of rows down and columns right; undefined off the board. */
function away(square: string, down: number, right: number): string | undefined {
  const row = ROWS[ROWS.indexOf(square.charAt(0)) + down];
  const column = COLUMNS[COLUMNS.indexOf(square.charAt(1)) + right];
  return row === undefined || column === undefined ? undefined : row + column;
}

const CARDINAL: readonly (readonly [number, number])[] = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];

/** The squares that the piece on `square` reaches, whatever is on them (Q2.3 to Q2.5). */
function reach(board: ReadonlyMap<string, string>, square: string): string[] {
  const ends: (string | undefined)[] = [];
  switch (board.get(square)!.toUpperCase()) {
    case 'T':
      for (const [down, right] of CARDINAL) ends.push(away(square, down, right));
      break;
    case 'C':
      for (const down of [-2, -1, 1, 2]) {
        for (const right of [-2, -1, 1, 2]) {
          if (Math.abs(down) !== Math.abs(right)) ends.push(away(square, down, right));
        }
      }
      break;
    default:
      for (const [down, right] of CARDINAL) {
        for (let steps = 1; steps <= 5; steps++) {
          const end = away(square, down * steps, right * steps);
          ends.push(end);
          if (end === undefined || board.has(end)) break;
        }
      }
  }
  return ends.filter((end) => end !== undefined);
}

/** Every move of the mover with the resulting game, ignoring the end of the game. */
function possibleMoves(game: ReferenceGame): Map<string, ReferenceGame> {
  const moves = new Map<string, ReferenceGame>();
  for (const [start, piece] of game.board) {
    if (sideOf(piece) !== game.mover) continue;
    for (const end of reach(game.board, start)) {
      const there = game.board.get(end);
      const isEnemy = there !== undefined && sideOf(there) !== game.mover;
      const isOtherShape = there?.toUpperCase() !== piece.toUpperCase();
      if (there !== undefined && !(isEnemy && isOtherShape)) continue;
      const board = new Map(game.board);
      board.delete(start);
      board.set(end, piece);
      const text = boardText(board);
      if (game.shown.includes(text)) continue;
      moves.set(`${start}-${end}`, {
        board,
        mover: opponentOf(game.mover),
        ply: game.ply + 1,
        shown: [...game.shown, text],
      });
    }
  }
  return moves;
}

/** Pieces of `side` in the opponent's starting zone. */
function inZone(game: ReferenceGame, side: 'light' | 'dark'): number {
  return ZONES[opponentOf(side)].filter((square) => {
    const piece = game.board.get(square);
    return piece !== undefined && sideOf(piece) === side;
  }).length;
}

/** The winner, or `draw`; null for an unfinished game. Ignores clocks. */
export function referenceOutcome(game: ReferenceGame): 'light' | 'dark' | 'draw' | null {
  const last = opponentOf(game.mover);
  if (inZone(game, last) >= 2) return last;
  if (possibleMoves(game).size === 0) return last;
  const pieces = [...game.board.values()].map(sideOf);
  const isBare = (side: 'light' | 'dark'): boolean => pieces.filter((other) => other === side).length === 1;
  return isBare('light') && isBare('dark') ? 'draw' : null;
}

/** Every legal move, by its text, with the resulting game. */
export function referenceMoves(game: ReferenceGame): Map<string, ReferenceGame> {
  return referenceOutcome(game) === null ? possibleMoves(game) : new Map<string, ReferenceGame>();
}
