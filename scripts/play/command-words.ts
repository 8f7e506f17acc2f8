/** A command of the prompt. */
export interface PlayCommand {
  /** Other words for it. */
  readonly aliases?: readonly string[];
  /** The argument as shown in the help, where `LEVEL` becomes the game's levels; absent for commands without one. */
  readonly argument?: string;
  /** The effect; `PLAYERS` becomes the names of the game's players. */
  readonly summary: string;
}

/** The commands of the prompt, in the order of the help. */
export const PLAY_COMMANDS = {
  help: { aliases: ['?', 'h'], summary: 'this list; help rules explains the game', argument: '[rules]' },
  hint: { summary: 'the move that the engine would play' },
  analyze: { aliases: ['analyse'], summary: 'the best moves, until you press Enter', argument: '[LINES]' },
  stop: { summary: 'the opponent moves at once; an analysis ends' },
  undo: { aliases: ['u', 'takeback'], summary: 'take back your last move' },
  redo: { summary: 'play the moves again that undo took back' },
  swap: { summary: 'change sides with the opponent' },
  side: { summary: 'play PLAYERS or both', argument: 'NAME' },
  go: { summary: 'let the engine move for you' },
  opponent: { summary: 'another opponent', argument: 'AGENT' },
  level: { summary: 'an easier or harder opponent', argument: 'LEVEL' },
  moves: { summary: 'the legal moves, of one piece or of all', argument: '[SQUARE]' },
  board: { aliases: ['show'], summary: 'draw the board again' },
  position: { aliases: ['fen'], summary: 'the position and the moves as text' },
  resign: { summary: 'give the game up' },
  draw: { summary: 'agree on a draw, between two people' },
  new: { summary: 'begin another game' },
  save: { summary: 'save a copy (.sgf or .json)', argument: 'FILE' },
  quit: { aliases: ['exit', 'q'], summary: 'end; the game is saved and can be resumed' },
} as const satisfies Readonly<Record<string, PlayCommand>>;

/** The name of a command. */
export type CommandName = keyof typeof PLAY_COMMANDS;

const NAMES = Object.keys(PLAY_COMMANDS) as CommandName[];
const byWord = new Map<string, CommandName>(
  NAMES.flatMap((name) => {
    const { aliases = [] }: PlayCommand = PLAY_COMMANDS[name];
    return [name, ...aliases].map((word) => [word, name] as const);
  }),
);

/** The names of all commands, without aliases. */
export const COMMAND_WORDS: readonly string[] = NAMES;

/** The command of a word, in either case. */
export function commandOfWord(word: string): CommandName | undefined {
  return byWord.get(word.toLowerCase());
}
