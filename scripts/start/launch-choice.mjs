// Shared by the launcher and the bundler: the commands that dist/start/ contains.

/** Commands that are often short, so that their start-up time is noticeable. */
export const BUNDLED_COMMANDS = ['analyze', 'engine', 'perft', 'play', 'replay', 'show'];

/** The values of `--game` among the words of a command line. */
function gamesOf(words) {
  return words.flatMap((word, index) => {
    if (word === '--game') return words[index + 1] ?? '';
    return word.startsWith('--game=') ? word.slice('--game='.length) : [];
  });
}

/**
 * Whether the words of a command line can run from the bundle. A game's module, given by its path, imports the
 * package's own modules and must share them with the program; stack traces should name source files.
 */
export function runsFromBundle(words) {
  if (words.includes('--debug') || gamesOf(words).some((game) => /[./\\]/.test(game))) return false;
  const [command = '--help'] = words;
  return command === '--version' || command === '--help' || BUNDLED_COMMANDS.includes(command);
}
