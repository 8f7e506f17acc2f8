import * as z from 'zod';
import { lossWeight } from './loss-weight.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { zeroLayer } from '../layer-builder.js';
import { targetLoss, type AuxiliaryHead, type TargetWriter } from './head.js';
import { TargetColumns } from './target-columns.js';

const NAME = 'movesLeft';
/** Plies that an output of 1 stands for, chosen so that the targets are of the order of 1. */
const MOVES_LEFT_UNIT = 20;
/** Errors up to this count quadratically, greater ones linearly (Huber 1964), as in lc0. */
const HUBER_DELTA = 0.5;

/** Plies to the end of the game; unknown for truncated games. */
function targets(): TargetWriter<TargetColumns> {
  return {
    write: (columns, row, { shard: { columns: rows }, index }) => {
      columns.targets[row] = rows.pliesLeft[index]! / MOVES_LEFT_UNIT;
      columns.weights[row] = rows.results[index] === NO_RESULT ? 0 : 1;
    },
  };
}

const output: AuxiliaryHead['output'] = (builder, { config }, { hidden }) =>
  builder.dense(zeroLayer(NAME, [config.valueHidden, 1]), hidden());

/** `[B, 1]` plies to the end of the game, in units of `MOVES_LEFT_UNIT`. */
export const movesLeftHead = {
  name: NAME,
  label: NAME,
  title: 'moves left',
  meaning: `plies to the end of the game, divided by ${MOVES_LEFT_UNIT}`,
  setting: z.boolean().default(false).meta({ description: 'a head that predicts the plies left' }),
  learnerSettings: {
    movesLeftWeight: lossWeight.default(0.1).meta({ description: 'weight of the loss of plies left' }),
  },
  measures: [],
  unsupported: () => null,
  outputShape: () => [1],
  output,
  columns: (_shape, capacity) => new TargetColumns(capacity, []),
  targets,
  loss: targetLoss(output, (_gradients, predicted, data) => {
    const distance = predicted.reshape([-1]).sub(data.targets).abs();
    const square = distance.minimum(HUBER_DELTA);
    const loss = square.square().mul(0.5).add(distance.sub(square).mul(HUBER_DELTA));
    return loss.mul(data.weights).sum();
  }),
} as const satisfies AuxiliaryHead;
