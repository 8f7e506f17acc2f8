import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Game } from '../../env/game.js';
import { createGame, GAME_IDS } from '../../env/games.js';
import { positionAfter } from '../../env/replay.js';

/** Which game is meant: the flags of `addGameOptions`. */
export interface GameOptions {
  readonly game: string;
  readonly rules: string;
}

/** Which position of it is meant: the flags of `addPositionOptions`. */
export interface PositionOptions extends GameOptions {
  readonly position?: string;
  readonly moves?: string;
}

/** Adds `--game` and `--rules`. */
export function addGameOptions(command: Command): Command {
  return command
    .option('--game <id>', GAME_IDS.join(', '), 'gess')
    .option('--rules <text>', 'NAME[,setting=value…], such as wikipedia,edge=strict', 'default');
}

/** Adds `--game`, `--rules`, `--position` and `--moves`. */
export function addPositionOptions(command: Command): Command {
  return addGameOptions(command)
    .option('--position <text>', 'where to start; left out, at the first position of the game')
    .option('--moves <list>', 'legal moves to play from there, such as "f6-f7 p15-m12"');
}

/**
 * The game and the position that the flags name.
 *
 * @throws NotationError, IllegalActionError.
 */
export function openPosition({ game: id, rules, position, moves = '' }: PositionOptions): {
  readonly game: Game<unknown>;
  readonly state: unknown;
} {
  const game = createGame(id, rules);
  return { game, state: positionAfter(game, { moves, position }) };
}

/** Reads an integer from 0 to `most`; for arguments and flags of commands. */
export function wholeNumber(most: number): (text: string) => number {
  return (text) => {
    if (/^\d+$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`Expected a whole number from 0 to ${most}.`);
  };
}

/** Reads an integer from 1 to a million. */
export function positiveNumber(text: string): number {
  const number = wholeNumber(1_000_000)(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('Expected a whole number from 1 to 1000000.');
}

/** Reads an even integer from 2 to `most`. */
export function evenNumber(most: number): (text: string) => number {
  return (text) => {
    const number = wholeNumber(most)(text);
    if (number >= 2 && number % 2 === 0) return number;
    throw new InvalidArgumentError(`Expected an even number from 2 to ${most}.`);
  };
}
