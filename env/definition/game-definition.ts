import type { Game } from '../game.js';
import type { Evaluation } from './evaluation.js';

/** Options of a game. */
export interface GameOptions {
  /** The rules in the game's notation; `default` is the game's default. */
  readonly rules: string;
  /** Plies, 1 or more, after which the game is truncated. Defaults to the game's own limit. */
  readonly plyLimit?: number | undefined;
}

/** An environment of a game. */
export interface EnvironmentDefinition {
  /** The default of the keyword `rules`; absent: the environment has no such keyword and plays the default rules. */
  readonly rules?: string;
}

/** Creates a hand-written evaluation for rules in canonical text. */
export type EvaluationCreator<State> = (rules: string) => Evaluation<State>;

/**
 * A game with everything that belongs to it: an entry of the registry (games.ts), and the default export of a module
 * that `--game ./my-game.mjs` names.
 */
export interface GameDefinition<State = unknown> {
  /** The `id` of its games: lower-case words with hyphens between them. */
  readonly id: string;
  /**
   * Creates a game. It has the `id` of this definition.
   *
   * @throws NotationError `rules-unknown`.
   */
  create(options: GameOptions): Game<State>;
  /** Its environments by id with a version, `acme/TicTacToe-v0`; absent: none. */
  readonly environments?: Readonly<Record<string, EnvironmentDefinition>>;
  /** Hand-written evaluations by name, the default first; absent: none. */
  readonly evaluations?: Readonly<Record<string, EvaluationCreator<State>>>;
  /** How the game is played, for people who see it for the first time: lines of at most 78 characters. */
  readonly introduction?: readonly string[];
}
