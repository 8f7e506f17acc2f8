import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Game } from '../../env/game.js';
import { createGame, DEFAULT_GAME, GAME_IDS, gameDefinition } from '../../env/games.js';
import { positionAfter } from '../../env/replay/replay.js';
import { isModulePath, loadGameModule, moduleOfGame } from '../../training/games/game-module.js';
import { UsageError } from '../usage/usage-error.js';
import { shellWord } from '../text/shell-word.js';
import { isGiven } from './idle-options.js';

/** `--game`: the game. */
export const gameOption = new Option(
  '--game <id>',
  `${GAME_IDS.join(', ')}, or the file of another game's module, such as ./my-game.mjs`,
).default(DEFAULT_GAME);

/** `--game` of commands with a configuration. */
export const configGameOption = new Option(
  '--game <id>',
  `game instead of the configuration's: ${GAME_IDS.join(', ')}, or the file of another game's module`,
);

/** `--game` of commands whose input specifies the game. */
export const gameModuleOption = new Option(
  '--game <file>',
  "module of the input's game, if it is not built in, such as ./my-game.mjs",
);

/** `--rules`: rules of the game. */
export const rulesOption = new Option(
  '--rules <text>',
  'NAME[,setting=value…], such as wikipedia,edge=strict',
).default('default');

/** ` --game FILE`, by which a command finds the module of a game again; empty for games of the package. */
export function moduleFlag(id: string): string {
  const module = moduleOfGame(id);
  return module === undefined ? '' : ` --game ${shellWord(module)}`;
}

/** `--position`: the position to start from. */
export const positionOption = new Option(
  '--position <text>',
  "position to start from (default: the game's first position)",
);

/** `--moves`: moves to play from there. */
export const movesOption = new Option(
  '--moves <list>',
  'legal moves to play from there, such as "f6-f7 p15-m12"',
);

/**
 * Loads the game modules given in the options of a command: the file of `--game`, which is replaced by its id, and that
 * of `--set game.module=FILE`. Runs before every command.
 *
 * @throws NotationError `game-unknown`, and as `loadGameModule`; SettingError for `--set`.
 */
export async function loadNamedGames(command: CommandUnknownOpts): Promise<void> {
  const { game, set } = command.opts() as { readonly game?: string; readonly set?: readonly string[] };
  if (set !== undefined) {
    const { loadGameOfSettings } = await import('../../training/config/config-file.js');
    await loadGameOfSettings(set);
  }
  if (game === undefined) return;
  if (!isModulePath(game)) {
    // Commands whose input specifies the game would ignore the name.
    gameDefinition(game);
    return;
  }
  const source = command.getOptionValueSource('game');
  command.setOptionValueWithSource('game', await loadGameModule(game), source);
}

/**
 * Expects `--game`, if given, to name the game that the input of a command has.
 *
 * @param own id of the input's game.
 * @param input words for the input, such as `the run in runs/a`.
 * @throws UsageError `option-value` for another game, which would be ignored.
 */
export function expectOwnGame(command: CommandUnknownOpts, own: string, input: string): void {
  const { game } = command.opts() as { readonly game?: string };
  if (game === own || !isGiven(command, 'game')) return;
  throw new UsageError(command, 'option-value', `expected --game ${own}, the game of ${input}, got ${game!}`);
}

/**
 * Expects `--rules`, if given, to name the rules of the game that the input of a command has.
 *
 * @param own the input's game.
 * @param input words for the input, such as `the run in runs/a`.
 * @throws UsageError `option-value` for other rules, which would be ignored; NotationError `rules-unknown`.
 */
export function expectOwnRules(command: CommandUnknownOpts, own: Game<unknown>, input: string): void {
  const { rules = '' } = command.opts() as { readonly rules?: string };
  if (!isGiven(command, 'rules') || createGame(own.id, rules).rules === own.rules) return;
  const expected = `expected --rules ${own.rules}, the rules of ${input}, got ${rules}`;
  throw new UsageError(command, 'option-value', expected);
}

/**
 * The game and the position selected by the options.
 *
 * @throws NotationError, IllegalActionError.
 */
export function openPosition(options: {
  readonly game: string;
  readonly rules: string;
  readonly position?: string;
  readonly moves?: string;
}): { readonly game: Game<unknown>; readonly state: unknown } {
  const { rules, position, moves = '' } = options;
  const game = createGame(options.game, rules);
  return { game, state: positionAfter(game, { moves, position }) };
}
