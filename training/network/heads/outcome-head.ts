import type { Tensor1D, Tensor2D } from '@tensorflow/tfjs-node';
import * as z from 'zod';
import { lossWeight } from './loss-weight.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { mixValues } from '../../../data/shards/lambda-values.js';
import type { SmallColumns } from '../../../data/shards/shard-columns.js';
import type { Game } from '../../../env/game.js';
import { zeroLayer } from '../layer-builder.js';
import { targetLoss, type Head, type TargetWriter } from './head.js';
import { TargetColumns } from './target-columns.js';

const NAME = 'outcome';
/** Win, draw, loss. */
const OUTCOMES = 3;

const learnerSettings = {
  valueMix: z.number().min(0).max(1).default(0.25).meta({
    description:
      "weight of the search's value in the value target; the rest is the game's result or, if it is unknown, the value of the last search before the next random move or the end",
  }),
  valueWeight: lossWeight.default(1).meta({ description: 'weight of the value loss' }),
};

/**
 * Writes the target probabilities of win, draw and loss from the mover's view, and returns the row's weight: 0 if
 * nothing is known.
 *
 * The result of the game and the value of the search are mixed; if one is missing, only the other counts. A value `q`
 * stands for a win with probability `(1 + q) / 2`, else a loss: a search reports no draws. A truncated game has no
 * result, which is not a draw.
 *
 * @param target `result` is 1, 0, -1 or `NO_RESULT`; `rootValue` is in [-1, 1], or NaN without a search.
 * @param valueMix weight of the search's value in [0, 1].
 * @param out `[3]`
 */
export function writeOutcomeTarget(
  { result, rootValue }: { readonly result: number; readonly rootValue: number },
  valueMix: number,
  out: Float32Array,
): number {
  out.fill(0);
  const hasResult = result !== NO_RESULT;
  const hasValue = !Number.isNaN(rootValue);
  if (!hasResult && !hasValue) {
    // A row that is not a distribution would have a nonzero gradient, whatever its weight.
    out[1] = 1;
    return 0;
  }
  const ofValue = !hasResult ? 1 : hasValue ? valueMix : 0;
  if (hasResult) out[1 - result] = 1 - ofValue;
  if (hasValue) {
    out[0]! += (ofValue * (1 + rootValue)) / 2;
    out[2]! += (ofValue * (1 - rootValue)) / 2;
  }
  return 1;
}

/**
 * The value, to the mover of row `index`, of the last search before a random move, which has no row, or before the end:
 * it has seen more of the game than the row's own search.
 */
function laterValue(columns: SmallColumns, index: number): number {
  const { rows, gameIds, plies, players, rootValues } = columns;
  let last = index;
  for (let row = index + 1; row < rows && gameIds[row] === gameIds[index]; row++) {
    if (plies[row] !== plies[row - 1]! + 1) break;
    if (!Number.isNaN(rootValues[row]!)) last = row;
  }
  return players[last] === players[index] ? rootValues[last]! : -rootValues[last]!;
}

/** The game's result mixed with the search's value; without a result, a later search stands for it. */
function targets(_game: Game<never>, { valueMix }: { valueMix: number }): TargetWriter<TargetColumns> {
  return {
    write: (columns, row, { shard, index }) => {
      const out = columns.targetsOf(row);
      const { columns: known } = shard;
      const result = known.results[index]!;
      const own = known.rootValues[index]!;
      const rootValue = result === NO_RESULT ? mixValues(own, laterValue(known, index), 1 - valueMix) : own;
      const target = { result, rootValue };
      columns.weights[row] = writeOutcomeTarget(target, valueMix, out);
    },
  };
}

const output: Head['output'] = (builder, { config }, { hidden }) =>
  builder.dense(zeroLayer(NAME, [config.valueHidden, OUTCOMES]), hidden());

/** `[B, 3]` logits of win, draw and loss of the player to move. */
export const outcomeHead = {
  name: NAME,
  label: 'value',
  title: 'value',
  meaning:
    'logits; their softmax is the probability of win, draw and loss for the player to move; value = win - loss',
  learnerSettings,
  measures: [],
  outputShape: () => [OUTCOMES],
  output,
  columns: (_shape, capacity) => new TargetColumns(capacity, [OUTCOMES]),
  targets,
  loss: targetLoss(output, (gradients, logits, data) =>
    gradients.weightedCrossEntropy(logits as Tensor2D, data.targets as Tensor2D, data.weights as Tensor1D),
  ),
} as const satisfies Head;
