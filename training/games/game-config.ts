import * as z from 'zod';
import { CodedError } from '../../env/errors.js';
import { createGame, DEFAULT_GAME, GAME_IDS } from '../../env/games.js';
import { gameOfModule, moduleOfGame } from './game-module.js';
import { quote } from '../../env/text/quoted-text.js';

const GameNames = z.strictObject({
  id: z
    .string()
    .optional()
    .meta({
      description: `${GAME_IDS.join(', ')}, or the id of the game in \`module\``,
      default: DEFAULT_GAME,
    }),
  module: z.string().optional().meta({
    description: 'ES module of a game from outside; relative to the file of the configuration',
  }),
  rules: z.string().default('default').meta({ description: 'rules of the game, as for --rules' }),
});

/** The game of a run. */
export interface GameConfig {
  readonly id: string;
  readonly rules: string;
  /** Absolute path of the module that defines the game; absent for games of the package. */
  readonly module?: string;
}

/** The id that the settings name, or a problem with the settings. */
function idOf({
  id,
  module,
}: z.infer<typeof GameNames>): { readonly id: string } | { readonly problem: string } {
  if (module === undefined) return { id: id ?? DEFAULT_GAME };
  const found = gameOfModule(module);
  if (found !== undefined) {
    if (id === undefined || id === found) return { id: found };
    return { problem: `expected '${found}', the id of the game in ${module}, got ${quote(id)}` };
  }
  // The module may have been moved and its game loaded from the new place by --game.
  if (id !== undefined && moduleOfGame(id) !== undefined) return { id };
  return { problem: `expected a loaded game module, got ${module}` };
}

/** Checks the game of a run. `withGameModule` loads its module first. */
export const GameConfig = GameNames.transform((names, context): GameConfig => {
  const refuse = (message: string): never => {
    // Checks that combine settings need this value parsed: zod skips them after this problem.
    context.addIssue({ code: 'custom', message, continue: false });
    return z.NEVER;
  };
  const named = idOf(names);
  if ('problem' in named) return refuse(named.problem);
  const { id } = named;
  const { rules } = names;
  try {
    createGame(id, rules);
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return refuse(error.message);
  }
  const module = moduleOfGame(id);
  return { id, rules, ...(module !== undefined && { module }) };
});

/** A game by its names, which are the same wherever its module lies. */
export type GameIdentity = Pick<GameConfig, 'id' | 'rules'>;

/** Checks a game as `GameConfig` does, without the place of its module: for settings that are compared. */
export const GameIdentity = GameConfig.transform(({ id, rules }): GameIdentity => ({ id, rules }));
