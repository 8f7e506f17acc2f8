import type { Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-node';
import { playerOf } from '../../../data/shards/shard-columns.js';
import type { Game } from '../../../env/game.js';
import { policyLogits } from '../policy-layers.js';
import { ActionColumns } from './action-columns.js';
import { actionLoss, writeActions, type ActionComparison } from './action-targets.js';
import type { Head, TargetWriter } from './head.js';

const NAME = 'policy';

/** Lower bound of probabilities whose logarithm is taken. */
const SMALLEST_PROBABILITY = 1e-30;

/** The search's policy of each row, over its legal actions. */
function targets<State>(game: Game<State>): TargetWriter<ActionColumns> {
  return {
    begin: (columns, source, rows) => {
      let longest = 0;
      for (const row of rows) {
        const { actionStart } = source.shard(row).columns;
        const index = source.index(row);
        longest = Math.max(longest, actionStart[index + 1]! - actionStart[index]!);
      }
      columns.reset(rows.length, longest);
    },
    write: (columns, row, { shard, index, content, symmetry }) => {
      const place = { row, player: playerOf(shard.columns, index), symmetry };
      writeActions(game, columns, place, content);
      columns.weights[row] = shard.columns.policyWeights[index]!;
    },
  };
}

/** Sum over rows of the entropy of `probabilities` `[B, K]`, whose rows sum to 1, times its weight. */
function entropySum(probabilities: Tensor2D, weights: Tensor1D): Tensor {
  // Zeros add nothing: 0 * log(smallest) = 0.
  const logs = probabilities.maximum(SMALLEST_PROBABILITY).log();
  return probabilities.mul(logs).sum(1).mul(weights).sum().neg();
}

/**
 * Sums over the rows: whether the network's most probable action is the target's, the entropy of the network's policy,
 * and the entropy of the target.
 */
function measure({ logits, policy, weights }: ActionComparison): readonly Tensor[] {
  return [
    logits.argMax(1).equal(policy.argMax(1)).cast('float32').mul(weights).sum(),
    entropySum(logits.softmax(), weights),
    entropySum(policy, weights),
  ];
}

/** `[B, numActions]` logits of the moves, by policy index. */
export const policyHead = {
  name: NAME,
  label: 'policy',
  title: 'policy',
  meaning: 'logits; take the softmax over the legal moves only',
  learnerSettings: {},
  measures: ['policyAccuracy', 'policyEntropy', 'targetEntropy'],
  outputShape: ({ numActions }) => [numActions],
  output: (builder, shape, { features }) => policyLogits(builder, shape, { name: NAME, features }),
  columns: (_shape, capacity, maxLegalActions) => new ActionColumns(capacity, maxLegalActions),
  targets,
  loss: actionLoss(NAME, measure),
} as const satisfies Head;
