import { COMMAND_WORDS } from './command-words.js';
import { type EntryContext, legalMoveTexts, startSquares } from './move-entry.js';

/** The ways to continue a line. */
export interface Completion {
  /** The end of the line that the candidates replace. */
  readonly fragment: string;
  /** In the order of the moves, then of the commands. */
  readonly candidates: readonly string[];
}

/** The longest common prefix of texts; empty without texts. */
export function commonStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/** Moves whose text begins with the fragment: their first squares with a dash, if the fragment has none yet. */
function completeMove(moves: readonly string[], fragment: string): readonly string[] {
  const lower = fragment.toLowerCase();
  const fitting = moves.filter((move) => move.toLowerCase().startsWith(lower));
  if (fragment.includes('-')) return fitting;
  const starts = startSquares(fitting);
  return starts.length === 0 ? fitting : starts.map((start) => `${start}-`);
}

/** Continues a line by moves that are legal, squares that the chosen piece can go to, and commands. */
export function completeLine(context: EntryContext, line: string): Completion {
  const { chosen } = context;
  const trimmed = line.trimStart();
  const moves = legalMoveTexts(context);
  const [, command, argument] = /^\/?(\w+)\s+(\S*)$/.exec(trimmed) ?? [];
  if (command !== undefined) {
    const fragment = argument ?? '';
    const squares = command.toLowerCase() === 'moves' ? startSquares(moves) : [];
    return { fragment, candidates: squares.filter((square) => square.startsWith(fragment.toLowerCase())) };
  }
  if (trimmed.startsWith('/')) {
    const fragment = trimmed.slice(1);
    return { fragment, candidates: COMMAND_WORDS.filter((word) => word.startsWith(fragment.toLowerCase())) };
  }
  const ends = chosen === undefined ? [] : endSquares(moves, chosen, trimmed);
  if (trimmed === '' && chosen !== undefined) return { fragment: trimmed, candidates: ends };
  const words = trimmed === '' ? [] : COMMAND_WORDS.filter((word) => word.startsWith(trimmed.toLowerCase()));
  return { fragment: trimmed, candidates: [...ends, ...completeMove(moves, trimmed), ...words] };
}

function endSquares(moves: readonly string[], chosen: string, fragment: string): readonly string[] {
  const start = `${chosen}-`;
  const ends = moves.filter((move) => move.startsWith(start)).map((move) => move.slice(start.length));
  return ends.filter((end) => end.toLowerCase().startsWith(fragment.toLowerCase()));
}
