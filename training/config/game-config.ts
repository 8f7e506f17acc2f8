import { z } from 'zod';
import { createGame, GAME_IDS } from '../../env/games.js';
import { mustParse } from './parse-check.js';

const GameNames = z.strictObject({
  id: z.enum(GAME_IDS).default('gess').meta({ description: 'gess, quess or connect-four' }),
  rules: z.string().default('default').meta({ description: 'rules of the game, as for --rules' }),
});

/** The game to learn. */
export const GameConfig = GameNames.superRefine(mustParse(({ id, rules }) => createGame(id, rules)));
export type GameConfig = z.infer<typeof GameConfig>;
