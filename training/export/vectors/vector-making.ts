import { type Game, listActions } from '../../../env/game.js';
import { sizeOfShape } from '../../../env/spaces/shape.js';
import type { Answers, CheckedPositions } from '../checked-positions.js';
import { INT8_TOLERANCE, TOLERANCE } from '../export-files.js';
import { type TestVector, type TestVectors, VECTORS_VERSION } from './test-vectors.js';

/** Decimals of the logits, far finer than the tolerance. */
const LOGIT_DECIMALS = 6;
/** Decimal digits that identify a float32. */
const FLOAT32_DIGITS = 9;

const MEANING: TestVectors['meaning'] = {
  moves: 'moves from the first position of the game, separated by spaces',
  position: 'the position that they lead to',
  player: 'name of the player to move',
  observation:
    'planes of the input observation, in the order of spec.json: a number where all squares have it, else rows of numbers. ' +
    'The input has the planes as its last axis: observation[row][column][plane]',
  legalMoves: 'the legal moves',
  legal: 'their policy indices, the input legal of the form legal',
  legalLogits: 'expected logits of these moves; the form policy has them at the policy indices',
  outcome: 'expected logits of win, draw and loss of the player to move',
  int8: 'expected outputs of the int8 model',
  tolerance: 'greatest difference of a logit that a correct front-end has',
};

function rounded(logits: Float32Array): number[] {
  return Array.from(logits, (logit) => Number(logit.toFixed(LOGIT_DECIMALS)));
}

/** The planes `[P]` of an observation `[R, C, P]`. */
function planesOf(observation: Float32Array, { observationShape }: Game<unknown>): TestVector['observation'] {
  const [rows, columns, planes] = observationShape;
  return Array.from({ length: planes }, (_, plane) => {
    const at = (row: number, column: number): number =>
      Number(observation[(row * columns + column) * planes + plane]!.toPrecision(FLOAT32_DIGITS));
    const squares = Array.from({ length: rows }, (_row, row) =>
      Array.from({ length: columns }, (_column, column) => at(row, column)),
    );
    const first = squares[0]![0]!;
    return squares.every((row) => row.every((value) => value === first)) ? first : squares;
  });
}

/** Texts of the moves that led to a state from the game's first position. */
function movesOf(game: Game<unknown>, state: unknown): string {
  const moves = Array.from({ length: game.historyLength(state) }, (_, index) =>
    game.formatAction(game.historyAction(state, index)),
  );
  return moves.join(' ');
}

/** The part of a test vector that does not depend on the model's outputs. */
export function describePosition(
  positions: CheckedPositions,
  states: readonly unknown[],
  row: number,
): Omit<TestVector, 'legalLogits' | 'outcome' | 'int8'> {
  const { game } = positions;
  const state = states[row];
  const size = sizeOfShape(game.observationShape);
  const legal = listActions(game, state);
  const from = row * positions.width;
  return {
    moves: movesOf(game, state),
    position: game.formatPosition(state),
    player: game.playerNames[game.currentPlayer(state)],
    observation: planesOf(positions.observations.subarray(row * size, (row + 1) * size), game),
    legalMoves: Array.from(legal, (action) => game.formatAction(action)),
    legal: [...positions.legal.subarray(from, from + legal.length)],
  };
}

/** The answers for the position of a row. */
function answersFor(
  { legalLogits, outcome }: Answers,
  { width, legalCounts }: CheckedPositions,
  row: number,
): Pick<TestVector, 'legalLogits' | 'outcome'> {
  const from = row * width;
  return {
    legalLogits: rounded(legalLogits.subarray(from, from + legalCounts[row]!)),
    outcome: rounded(outcome.subarray(3 * row, 3 * row + 3)),
  };
}

/** Makes the test vectors of positions, with the answers of the models in float32 and int8. */
export function makeTestVectors(
  positions: CheckedPositions,
  states: readonly unknown[],
  answers: { readonly float32: Answers; readonly int8: Answers },
): TestVectors {
  const { game } = positions;
  return {
    vectorsVersion: VECTORS_VERSION,
    game: game.id,
    rules: game.rules,
    meaning: MEANING,
    tolerance: { float32: TOLERANCE, int8: INT8_TOLERANCE },
    positions: states.map((_, row) => ({
      ...describePosition(positions, states, row),
      ...answersFor(answers.float32, positions, row),
      int8: answersFor(answers.int8, positions, row),
    })),
  };
}
