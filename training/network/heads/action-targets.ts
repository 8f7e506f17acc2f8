import type { Tensor, Tensor1D, Tensor2D } from '@tensorflow/tfjs-node';
import type { RowContent } from '../../../data/shards/shard-columns.js';
import type { Game, Player, Symmetry } from '../../../env/game.js';
import { legalIndices } from '../legal-indices.js';
import { legalLogits } from '../policy-layers.js';
import type { ActionColumns } from './action-columns.js';
import type { HeadLoss, LossTools } from './head.js';

/** The row of a distribution in a batch, and its view of the board. */
export interface ActionPlace {
  readonly row: number;
  /** The player from whose view the network sees the board. */
  readonly player: Player;
  readonly symmetry: Symmetry;
}

/**
 * Writes a distribution over legal actions to a row, by policy index; the row's weight is left to the caller.
 *
 * @param out reset, with room for the actions.
 */
export function writeActions<State>(
  game: Game<State>,
  out: ActionColumns,
  { row, player, symmetry }: ActionPlace,
  { actions, policy }: Pick<RowContent, 'actions' | 'policy'>,
): void {
  const { policyIndices } = symmetry;
  const start = row * out.width;
  for (let i = 0; i < actions.length; i++) {
    out.legal[start + i] = policyIndices[game.policyIndex(player, actions[i]!)]!;
    out.policy[start + i] = policy[i]!;
    out.padding[start + i] = 0;
  }
}

/** Logits of legal actions and the distribution to learn, `[B, K]` each, and the weights of the rows, `[B]`. */
export interface ActionComparison {
  readonly logits: Tensor2D;
  readonly policy: Tensor2D;
  readonly weights: Tensor1D;
}

/**
 * The loss of a head with a logit for each action: cross-entropy over the legal actions only.
 *
 * @param name of the head.
 * @param measure returns the sums of the head's other measures.
 */
export function actionLoss(
  name: string,
  measure: (comparison: ActionComparison) => readonly Tensor[] = () => [],
): (tools: LossTools, columns: ActionColumns, size: number) => HeadLoss {
  return ({ tf, gradients, shape }, columns, size) => {
    const { width, legal } = columns;
    const tensor = (values: Float32Array): Tensor2D =>
      tf.tensor2d(values.subarray(0, size * width), [size, width]);
    const indices = legalIndices(tf, shape, { size, width, legal });
    const padding = tensor(columns.padding);
    const policy = tensor(columns.policy);
    const weights = tf.tensor1d(columns.weights.subarray(0, size));
    return (layers, { features }) => {
      const logits = legalLogits(layers, shape, { name, features }, indices).add<Tensor2D>(padding);
      return {
        output: logits,
        loss: gradients.weightedCrossEntropy(logits, policy, weights),
        measures: measure({ logits, policy, weights }),
      };
    };
  };
}
