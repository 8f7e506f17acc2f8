import * as z from 'zod';
import { readInput } from '../../data/files/input-file.js';
import { formError, type JsonForm, parseForm } from '../../data/files/json-file.js';
import { NotationError } from '../../env/errors.js';
import { type Action, type Game, listActions, type Outcome } from '../../env/game.js';
import { namedValues } from '../../env/named-values.js';
import { TrainingError } from '../training-error.js';

/** A position with the value of each legal action under perfect play. */
export interface SolvedPosition {
  /** Text for `Game.parsePosition`. */
  readonly position: string;
  /** Outcome of each legal action with perfect play, from the view of the player to move. */
  readonly values: ReadonlyMap<Action, Outcome>;
}

const Line = z.strictObject({ position: z.string(), values: namedValues(z.literal([-1, 0, 1])) });

/** The best outcome for the player to move. */
export function bestValue({ values }: SolvedPosition): Outcome {
  return Math.max(...values.values()) as Outcome;
}

/** Whether the values of the legal actions differ. */
export function isDecisive({ values }: SolvedPosition): boolean {
  return new Set(values.values()).size > 1;
}

/** Creates the error for a line of the file. */
type Problem = (reason: string, cause?: unknown) => Error;

function readLine(game: Game<unknown>, line: z.infer<typeof Line>, problem: Problem): SolvedPosition {
  const { position, values } = line;
  const state = game.parsePosition(position);
  const legal = [...listActions(game, state)];
  if (legal.length === 0) throw problem('the game is over');
  const judged = new Map<Action, Outcome>();
  for (const [text, value] of Object.entries(values)) {
    const action = game.parseAction(text);
    if (judged.has(action)) throw problem(`each move once, found ${game.formatAction(action)} twice`);
    judged.set(action, value);
  }
  if (judged.size !== legal.length || !legal.every((action) => judged.has(action))) {
    const moves = legal.map((action) => game.formatAction(action)).join(' ');
    throw problem(`a value for each legal move (${moves}) and no others`);
  }
  return { position, values: judged };
}

/**
 * Reads solved positions: JSON lines, each `{"position": TEXT, "values": {MOVE: -1 | 0 | 1, …}}` with every legal move.
 *
 * @throws TrainingError `solved-positions`, which names the line; DataError `file-missing`, `file-unreadable`,
 *   `file-too-large`.
 */
export async function readSolvedPositions(
  path: string,
  game: Game<unknown>,
): Promise<readonly SolvedPosition[]> {
  const positions: SolvedPosition[] = [];
  const form: JsonForm<z.infer<typeof Line>> = {
    schema: Line,
    name: `a solved position of ${game.id}`,
    seal: null,
    error: (message, cause) => new TrainingError('solved-positions', message, { cause }),
  };
  for (const [index, text] of (await readInput(path, 'positions')).toString().split('\n').entries()) {
    if (text.trim() === '') continue;
    const place = { path, line: index + 1 };
    const problem: Problem = (reason, cause) => formError(form, place, reason, cause);
    const line = parseForm(text, form, place);
    try {
      positions.push(readLine(game, line, problem));
    } catch (error) {
      throw error instanceof NotationError ? problem(error.message, error) : error;
    }
  }
  if (positions.length > 0) return positions;
  throw new TrainingError('solved-positions', `expected at least one solved position in ${path}`);
}
