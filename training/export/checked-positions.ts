import { EvaluationBatch } from '../../agents/evaluators/evaluator.js';
import type { Game } from '../../env/game.js';

/** Positions on which the forms of a model are compared: `N` positions with at most `K` legal actions each. */
export interface CheckedPositions {
  readonly game: Game<unknown>;
  /** `N`. */
  readonly count: number;
  /** `[N, R, C, P]` network inputs. */
  readonly observations: Float32Array;
  /** `K`. */
  readonly width: number;
  /** `[N, K]` policy indices of the legal actions, in the order of `legalActions`; padded with 0. */
  readonly legal: Int32Array;
  /** `[N]` number of legal actions of each position; the rest of its row is padding. */
  readonly legalCounts: Int32Array;
}

/** A model's answers for some positions. All numbers are logits. */
export interface Answers {
  /** `[N, K]` by legal action; meaningless in the padding. */
  readonly legalLogits: Float32Array;
  /** `[N, 3]` win, draw and loss of the player to move. */
  readonly outcome: Float32Array;
}

/** The network's inputs for one or more positions, none of which is final. */
export function checkedPositions<State>(game: Game<State>, states: readonly State[]): CheckedPositions {
  const count = states.length;
  const batch = new EvaluationBatch(game, count);
  for (const state of states) batch.add(game, state);
  const legalCounts = Int32Array.from(states, (_, row) => batch.start[row + 1]! - batch.start[row]!);
  const width = Math.max(...legalCounts);
  const legal = new Int32Array(count * width);
  for (let row = 0; row < count; row++) {
    legal.set(batch.policyIndices.subarray(batch.start[row], batch.start[row + 1]), row * width);
  }
  const { observations } = batch;
  return { game, count, observations, width, legal, legalCounts };
}

/** The outputs of a model by name: `[N, …]` each. */
export type ModelOutputs = ReadonlyMap<string, Float32Array>;

/** The answers in the outputs of a model of the form `policy`. */
export function answersOf(outputs: ModelOutputs, { game, count, width, legal }: CheckedPositions): Answers {
  const policy = outputs.get('policy')!;
  const legalLogits = new Float32Array(count * width);
  for (let row = 0, i = 0; row < count; row++) {
    for (const end = i + width; i < end; i++) legalLogits[i] = policy[row * game.numActions + legal[i]!]!;
  }
  return { legalLogits, outcome: outputs.get('outcome')! };
}

/** The greater number; infinity for NaN, which compares as no difference. */
function greater(greatest: number, difference: number): number {
  if (difference <= greatest) return greatest;
  return Number.isNaN(difference) ? Infinity : difference;
}

/** The greatest difference between two lists; infinity for NaN and for lists of different lengths. */
export function greatestDifference(left: Float32Array, right: Float32Array | undefined): number {
  if (right?.length !== left.length) return Infinity;
  let greatest = 0;
  for (let i = 0; i < left.length; i++) greatest = greater(greatest, Math.abs(left[i]! - right[i]!));
  return greatest;
}

/** The greatest difference between two answers over the legal actions and outcomes; infinity for NaN. */
export function answerDifference(
  left: Answers,
  right: Answers,
  { count, width, legalCounts }: CheckedPositions,
): number {
  let greatest = greatestDifference(left.outcome, right.outcome);
  for (let row = 0; row < count; row++) {
    const [from, to] = [row * width, row * width + legalCounts[row]!];
    const own = left.legalLogits.subarray(from, to);
    greatest = greater(greatest, greatestDifference(own, right.legalLogits.subarray(from, to)));
  }
  return greatest;
}
