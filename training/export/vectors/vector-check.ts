import { isDeepStrictEqual } from 'node:util';
import { DataError } from '../../../data/data-error.js';
import { CodedError } from '../../../env/errors.js';
import type { Game } from '../../../env/game.js';
import { quote } from '../../../env/text/quoted-text.js';
import { positionAfter } from '../../../env/replay/replay.js';
import { type Answers, type CheckedPositions, checkedPositions } from '../checked-positions.js';
import type { TestVectors } from './test-vectors.js';
import { describePosition } from './vector-making.js';
import type { Precision } from '../../../agents/play-options.js';

function contradiction(path: string, index: number, problem: string, cause?: unknown): DataError {
  return new DataError(
    'manifest-damaged',
    `expected test vectors in ${path}: position ${index}: ${problem}`,
    {
      cause,
    },
  );
}

/** The position to which the moves of a vector lead. */
function replay(
  game: Game<unknown>,
  moves: string,
  fail: (problem: string, cause?: unknown) => Error,
): unknown {
  let state: unknown;
  try {
    state = positionAfter(game, { moves });
  } catch (error) {
    if (error instanceof CodedError) throw fail(error.message, error);
    throw error;
  }
  if (game.countLegalActions(state) === 0) throw fail('the game is over');
  return state;
}

/**
 * Replays the moves of test vectors and checks positions, planes and legal actions against the rules of this program.
 *
 * @param path of the vectors, for messages.
 * @throws DataError `manifest-damaged` for vectors of another game, or with the number of the position, from 0, and the
 *   key that differs.
 */
export function replayVectors(path: string, vectors: TestVectors, game: Game<unknown>): CheckedPositions {
  if (vectors.game !== game.id || vectors.rules !== game.rules) {
    throw new DataError(
      'manifest-damaged',
      `expected test vectors of ${game.id}, rules ${game.rules}, in ${path}; found ` +
        `${quote(vectors.game)}, rules ${quote(vectors.rules)}`,
    );
  }
  const states = vectors.positions.map(({ moves }, index) =>
    replay(game, moves, (problem, cause) => contradiction(path, index, problem, cause)),
  );
  const positions = checkedPositions(game, states);
  for (const [row, vector] of vectors.positions.entries()) {
    const expected = describePosition(positions, states, row);
    for (const key of Object.keys(expected) as (keyof typeof expected)[]) {
      if (isDeepStrictEqual(vector[key], expected[key])) continue;
      throw contradiction(path, row, `${key} differs from the position after its moves`);
    }
    for (const { legalLogits } of [vector, vector.int8]) {
      const wanted = expected.legal.length;
      if (legalLogits.length !== wanted)
        throw contradiction(path, row, `${legalLogits.length} logits for ${wanted} legal actions`);
    }
  }
  return positions;
}

/** The answers that test vectors expect. */
export function expectedAnswers(
  { positions }: TestVectors,
  { width, count }: CheckedPositions,
): { readonly float32: Answers; readonly int8: Answers } {
  const gather = (kind: Precision): Answers => {
    const legalLogits = new Float32Array(count * width);
    const outcome = new Float32Array(count * 3);
    for (const [row, vector] of positions.entries()) {
      const answers = kind === 'int8' ? vector.int8 : vector;
      legalLogits.set(answers.legalLogits, row * width);
      outcome.set(answers.outcome, row * 3);
    }
    return { legalLogits, outcome };
  };
  return { float32: gather('float32'), int8: gather('int8') };
}
