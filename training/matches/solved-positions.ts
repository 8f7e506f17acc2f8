import * as z from 'zod';
import { describeProblems } from '../../env/problems-text.js';
import { readWholeFile } from '../../data/files/file-reading.js';
import { NotationError } from '../../env/errors.js';
import type { Action, Game, Outcome } from '../../env/game.js';
import { namedValues } from '../../env/named-values.js';
import { TrainingError } from '../training-error.js';

/** A position with the value of each legal action under perfect play. */
export interface SolvedPosition {
  /** Its text, as `Game.parsePosition` reads it. */
  readonly position: string;
  /** Outcome of each legal action with perfect play, from the view of the player to move. */
  readonly values: ReadonlyMap<Action, Outcome>;
}

const Line = z.strictObject({ position: z.string(), values: namedValues(z.literal([-1, 0, 1])) });

/** The best outcome for the player to move: the largest value. */
export function bestValue({ values }: SolvedPosition): Outcome {
  return Math.max(...values.values()) as Outcome;
}

/** Whether the values of the legal actions differ. */
export function isDecisive({ values }: SolvedPosition): boolean {
  return new Set(values.values()).size > 1;
}

/** Makes the error for a line of the file. */
type Problem = (reason: string, cause?: unknown) => TrainingError;

function parseLine(game: Game<unknown>, text: string, problem: Problem): SolvedPosition {
  const { position, values } = Line.parse(JSON.parse(text));
  const state = game.parsePosition(position);
  const buffer = new Int32Array(game.maxLegalActions);
  const legal = [...buffer.subarray(0, game.legalActions(state, buffer))];
  if (legal.length === 0) throw problem('the game is over');
  const judged = new Map(
    Object.entries(values).map(([action, value]) => [game.parseAction(action), value] as const),
  );
  if (judged.size !== legal.length || !legal.every((action) => judged.has(action))) {
    const moves = legal.map((action) => game.formatAction(action)).join(' ');
    throw problem(`a value for each legal move (${moves}) and no other`);
  }
  return { position, values: judged };
}

function readLine(game: Game<unknown>, text: string, problem: Problem): SolvedPosition {
  try {
    return parseLine(game, text, problem);
  } catch (error) {
    if (error instanceof z.ZodError) throw problem(describeProblems(error), error);
    if (error instanceof SyntaxError || error instanceof NotationError) throw problem(error.message, error);
    throw error;
  }
}

/**
 * Reads solved positions: JSON lines, each `{"position": TEXT, "values": {MOVE: -1 | 0 | 1, …}}` with every legal move.
 *
 * @throws TrainingError `solved-positions`, which names the line; DataError `file-missing`, `file-unreadable`.
 */
export async function readSolvedPositions(
  path: string,
  game: Game<unknown>,
): Promise<readonly SolvedPosition[]> {
  const positions: SolvedPosition[] = [];
  for (const [index, line] of (await readWholeFile(path)).toString().split('\n').entries()) {
    if (line.trim() === '') continue;
    const expected = `expected a solved position of ${game.id} (JSON) on line ${index + 1} of ${path}`;
    const problem: Problem = (reason, cause) =>
      new TrainingError('solved-positions', `${expected}: ${reason}`, { cause });
    positions.push(readLine(game, line, problem));
  }
  if (positions.length > 0) return positions;
  throw new TrainingError('solved-positions', `expected at least one solved position in ${path}`);
}
