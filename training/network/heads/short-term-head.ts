import * as z from 'zod';
import { lossWeight } from './loss-weight.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { mixValues } from '../../../data/shards/lambda-values.js';
import type { SmallColumns } from '../../../data/shards/shard-columns.js';
import type { Game } from '../../../env/game.js';
import { zeroLayer } from '../layer-builder.js';
import { targetLoss, type AuxiliaryHead, type TargetWriter } from './head.js';
import { TargetColumns } from './target-columns.js';

const NAME = 'shortTerm';
/** Later rows with smaller weights are ignored. */
const LEAST_WEIGHT = 0.005;

const learnerSettings = {
  shortTermWeight: lossWeight.default(0.25).meta({
    description: 'weight of the loss of the value some plies later',
  }),
  shortTermPlies: z.int().min(1).max(64).default(8).meta({
    description:
      'mean distance in plies of the predicted value: weights fall by the factor 1 - 1 / plies a ply',
  }),
};

/**
 * The mean of the root values of the rows after `index` in its game, followed by the game's result, with weights that
 * fall by the factor `1 - 1 / plies` per ply: the value, to the row's mover, that searches see about `plies` plies
 * later. The weight of a row without a value passes to the rows after it. In [-1, 1]; NaN if nothing is known.
 *
 * @see KataGo, docs/KataGoMethods.md, "Short-term Value and Score Targets"; `lambdaValues` does the same for whole
 *   games.
 */
export function shortTermValue(columns: SmallColumns, index: number, plies: number): number {
  const lambda = 1 - 1 / plies;
  const { plies: plyOf, players, gameIds, rootValues, results, pliesLeft } = columns;
  const isSameGame = (row: number): boolean => row < columns.rows && gameIds[row] === gameIds[index];
  let last = index;
  while (isSameGame(last + 1) && lambda ** (plyOf[last]! - plyOf[index]!) >= LEAST_WEIGHT) last += 1;
  const result = isSameGame(last + 1) || results[last] === NO_RESULT ? NaN : results[last]!;
  if (last === index) return result;
  let value = mixValues(rootValues[last]!, result, lambda ** pliesLeft[last]!);
  for (let row = last - 1; row > index; row--) {
    const seen = players[row] === players[row + 1] ? value : -value;
    value = mixValues(rootValues[row]!, seen, lambda ** (plyOf[row + 1]! - plyOf[row]!));
  }
  return players[index] === players[index + 1] ? value : -value;
}

/** The value that searches see some plies later, as the mover's chance to win in [0, 1]. */
function targets(
  _game: Game<never>,
  { shortTermPlies }: { readonly shortTermPlies: number },
): TargetWriter<TargetColumns> {
  return {
    write: (columns, row, { shard, index }) => {
      const value = shortTermValue(shard.columns, index, shortTermPlies);
      const isKnown = !Number.isNaN(value);
      columns.targets[row] = isKnown ? (1 + value) / 2 : 0.5;
      columns.weights[row] = isKnown ? 1 : 0;
    },
  };
}

const output: AuxiliaryHead['output'] = (builder, { config }, { hidden }) =>
  builder.dense(zeroLayer(NAME, [config.valueHidden, 1]), hidden());

/** `[B, 1]` the logit of the mover's chance to win, by the searches of the next plies. */
export const shortTermHead = {
  name: NAME,
  label: NAME,
  title: 'short term',
  meaning: 'logit (sigmoid) of the chance that the player to move wins, as searches a few plies later see it',
  setting: z.boolean().default(false).meta({
    description: 'a head that predicts the value that searches see some plies later; for learning only',
  }),
  learnerSettings,
  measures: [],
  unsupported: () => null,
  outputShape: () => [1],
  output,
  columns: (_shape, capacity) => new TargetColumns(capacity, [1], [1]),
  targets,
  loss: targetLoss(output, (gradients, logits, data) =>
    gradients.weightedBinaryCrossEntropy(logits, data.targets, data.weights),
  ),
} as const satisfies AuxiliaryHead;
