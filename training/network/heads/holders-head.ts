import type { Tensor1D, Tensor2D } from '@tensorflow/tfjs-node';
import * as z from 'zod';
import { lossWeight } from './loss-weight.js';
import { NO_RESULT } from '../../../data/shards/column-table.js';
import { playerOf } from '../../../data/shards/shard-columns.js';
import { type Game, NO_ACTION } from '../../../env/game.js';
import { zeroLayer } from '../layer-builder.js';
import { targetLoss, type AuxiliaryHead, type TargetWriter } from './head.js';
import { PositionObserver } from './placed-row.js';
import { TargetColumns, type TargetTensors } from './target-columns.js';

const NAME = 'holders';
/** The player to move, the opponent, nobody. */
const HOLDERS = 3;

/** The holder of each square in the game's last position; unknown for truncated games. */
function targets<State>(game: Game<State>): TargetWriter<TargetColumns> {
  const observer = new PositionObserver(game);
  const { own, opponent } = game.encoding.holders;
  const [rows, columns] = game.observationShape;
  const { numPlanes } = observer;
  return {
    write: (out, row, { shard, index, content, symmetry }) => {
      const { played, results } = shard.columns;
      const isKnown = played[index] !== NO_ACTION && results[index] !== NO_RESULT;
      out.weights[row] = isKnown ? 1 : 0;
      const targetsOfRow = out.targetsOf(row).fill(0);
      const seen = isKnown ? observer.observe(content.finalPosition, playerOf(shard.columns, index)) : null;
      for (let square = 0; square < rows * columns; square++) {
        const holds = (plane: number): boolean => seen !== null && seen[square * numPlanes + plane]! > 0;
        const holder = own.some(holds) ? 0 : opponent.some(holds) ? 1 : 2;
        targetsOfRow[symmetry.squares[square]! * HOLDERS + holder] = 1;
      }
    },
  };
}

/** A row for each square; each has an equal part of the weight. */
function ofSquares({ targets: all, weights }: TargetTensors): TargetTensors {
  const [size, rows, columns] = all.shape as [number, number, number];
  const squares = rows * columns;
  return {
    targets: all.reshape([-1, HOLDERS]),
    weights: weights.div(squares).reshape([size, 1]).tile([1, squares]).reshape([-1]),
  };
}

const output: AuxiliaryHead['output'] = (builder, { config }, { features }) =>
  builder.squareOutput(zeroLayer(NAME, [1, 1, config.channels, HOLDERS]), features);

/** `[B, R, C, 3]` logits of who holds each square at the end: the player to move, the opponent, nobody. */
export const holdersHead = {
  name: NAME,
  label: NAME,
  title: 'holders',
  meaning: 'logits of who holds each square at the end of the game: the player to move, the opponent, nobody',
  setting: z.boolean().default(false).meta({
    description: 'a head that predicts who holds each square at the end; for learning only',
  }),
  learnerSettings: {
    holdersWeight: lossWeight.default(0.3).meta({
      description: 'weight of the loss of who holds the squares, a mean over squares',
    }),
  },
  measures: [],
  unsupported: () => null,
  outputShape: ({ observation: [rows, columns] }) => [rows, columns, HOLDERS],
  output,
  columns: ({ observation: [rows, columns] }, capacity) =>
    new TargetColumns(capacity, [rows, columns, HOLDERS]),
  targets,
  loss: targetLoss(
    output,
    (gradients, logits, data) =>
      gradients.weightedCrossEntropy(
        logits.reshape([-1, HOLDERS]),
        data.targets as Tensor2D,
        data.weights as Tensor1D,
      ),
    ofSquares,
  ),
} as const satisfies AuxiliaryHead;
