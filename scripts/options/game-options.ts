import { Option } from '@commander-js/extra-typings';
import type { Game } from '../../env/game.js';
import { createGame, GAME_IDS } from '../../env/games.js';
import { positionAfter } from '../../env/replay.js';

/** `--game`: id of the game. */
export const gameOption = new Option('--game <id>', GAME_IDS.join(', ')).default('gess');

/** `--rules`: rules of the game. */
export const rulesOption = new Option(
  '--rules <text>',
  'NAME[,setting=value…], such as wikipedia,edge=strict',
).default('default');

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
 * The game and the position that the options name.
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
