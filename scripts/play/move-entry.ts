import { type Action, type Game, listActions } from '../../env/game.js';
import { NotationError } from '../../env/errors.js';
import { explainIllegal } from '../../env/replay/replay.js';
import { suggestName } from '../../env/text/nearest-name.js';
import { quote, visibleText } from '../../env/text/quoted-text.js';
import { type CommandName, COMMAND_WORDS, commandOfWord } from './command-words.js';

/** Longest line that is read as an entry; agents' texts are the longest useful ones. */
export const MAX_ENTRY_LENGTH = 500;

/** The request in a line at the prompt. */
export type Entry =
  | { readonly kind: 'empty' }
  | { readonly kind: 'move'; readonly action: Action }
  /** A piece is chosen by its square; the line with its destination follows. */
  | { readonly kind: 'piece'; readonly square: string }
  | { readonly kind: 'command'; readonly name: CommandName; readonly argument: string }
  /** An entry that cannot be executed now, and the reason. */
  | { readonly kind: 'problem'; readonly message: string };

/** The position that an entry refers to. */
export interface EntryContext {
  readonly game: Game<unknown>;
  readonly state: unknown;
  /** The square of the piece that the person chose before. */
  readonly chosen?: string | undefined;
}

/** The texts of all legal moves, in the order of the actions. */
export function legalMoveTexts({ game, state }: EntryContext): readonly string[] {
  return Array.from(listActions(game, state), (action) => game.formatAction(action));
}

/** The squares from which legal moves of the form `FROM-TO` start, each once; none in games with other moves. */
export function startSquares(moves: readonly string[]): readonly string[] {
  return [...new Set(moves.filter((move) => move.includes('-')).map((move) => move.split('-')[0]!))];
}

function problem(message: string): Entry {
  return { kind: 'problem', message };
}

function commandEntry(line: string): Entry | undefined {
  const [word = '', ...rest] = line.split(/\s+/);
  const name = commandOfWord(word);
  if (name === undefined) return undefined;
  return { kind: 'command', name, argument: rest.join(' ') };
}

/** Reads a line that is neither a legal move nor a command. */
function explainEntry(line: string, { game, state }: EntryContext): Entry {
  let action: Action;
  try {
    action = game.parseAction(line);
  } catch (error) {
    if (!(error instanceof NotationError)) throw error;
    const word = line.split(/\s+/)[0]!;
    return problem(`${error.message}${suggestName(word, COMMAND_WORDS, '; help lists the commands')}`);
  }
  if (game.isLegal(state, action)) return { kind: 'move', action };
  return problem(explainIllegal(game, state, action));
}

/** Whether `text` names a square of the board, in games whose boards have squares. */
function isSquare({ game, state }: EntryContext, text: string): boolean {
  if (!/^[a-z]\d+$/i.test(text)) return false;
  try {
    game.render(state, { piece: text });
    return true;
  } catch (error) {
    if (error instanceof NotationError) return false;
    throw error;
  }
}

/**
 * Reads a line: a move, the square of a piece, the destination of the piece chosen before, or a command, which may
 * begin with `/`. Moves come first where a game's moves look like commands.
 */
export function parseEntry(context: EntryContext, line: string): Entry {
  const { chosen } = context;
  if (line.length > MAX_ENTRY_LENGTH) {
    return problem(`expected at most ${MAX_ENTRY_LENGTH} characters, got ${line.length}`);
  }
  const text = line.trim();
  if (text === '') return { kind: 'empty' };
  if (visibleText(text) !== text)
    return problem(`expected text without control characters, got ${quote(text)}`);
  if (text.startsWith('/')) {
    const known = suggestName(text.slice(1), COMMAND_WORDS, '; help lists the commands');
    return commandEntry(text.slice(1)) ?? problem(`expected a command, got ${quote(text)}${known}`);
  }
  const moves = legalMoveTexts(context);
  const find = (move: string): string | undefined =>
    moves.find((legal) => legal.toLowerCase() === move.toLowerCase());
  const move = find(text) ?? (chosen === undefined ? undefined : find(`${chosen}-${text}`));
  if (move !== undefined) return { kind: 'move', action: context.game.parseAction(move) };
  const square = startSquares(moves).find((start) => start.toLowerCase() === text.toLowerCase());
  if (square !== undefined) return { kind: 'piece', square };
  const command = commandEntry(text);
  if (command !== undefined) return command;
  if (isSquare(context, text)) return problem(explainSquare(context, text));
  return explainEntry(text, context);
}

/** Why `square` is neither a piece that can move nor a destination of the chosen one. */
function explainSquare({ game, state, chosen }: EntryContext, square: string): string {
  const name = game.playerNames[game.currentPlayer(state)];
  if (chosen === undefined) return `no legal move of ${name} starts on ${square}`;
  try {
    return explainIllegal(game, state, game.parseAction(`${chosen}-${square}`));
  } catch (error) {
    if (error instanceof NotationError) return error.message;
    throw error;
  }
}
