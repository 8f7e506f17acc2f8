import { gameDefinition } from '../../env/games.js';
import type { Game } from '../../env/game.js';
import { alignPairs } from '../text/columns.js';
import { type CommandName, PLAY_COMMANDS, type PlayCommand } from './command-words.js';
import { levelsOfGame } from './opponent-level.js';
import { legalMoveTexts } from './move-entry.js';

/** A move of the first position, as an example: the one that the game's introduction mentions. */
export function exampleMove(game: Game<unknown>): string {
  const moves = legalMoveTexts({ game, state: game.initialState() });
  const words = new Set(gameDefinition(game.id).introduction?.flatMap((line) => line.split(/[\s,.;:]+/)));
  return moves.find((move) => words.has(move)) ?? moves[Math.floor(moves.length / 2)]!;
}

/** How to enter moves, and the commands. */
export function helpLines(game: Game<unknown>): readonly string[] {
  const pairs = (Object.keys(PLAY_COMMANDS) as CommandName[]).map((name) => {
    const { argument, summary }: PlayCommand = PLAY_COMMANDS[name];
    const shown = argument === 'LEVEL' ? `1-${levelsOfGame(game).length}` : argument;
    const effect = summary.replace('PLAYERS', game.playerNames.join(', '));
    return [shown === undefined ? name : `${name} ${shown}`, effect] as const;
  });
  return [
    `Type a move, such as ${exampleMove(game)}; Tab completes it. Commands:`,
    ...alignPairs(pairs).split('\n'),
  ];
}

/** How the game is played, for people who see it for the first time. */
export function rulesLines(game: Game<unknown>): readonly string[] {
  const { introduction } = gameDefinition(game.id);
  return (
    introduction ?? [`${game.id} (${game.rules}) comes without an explanation; moves lists what is legal.`]
  );
}
