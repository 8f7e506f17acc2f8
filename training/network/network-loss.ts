import { sizeOfShape } from '../../env/spaces/shape.js';
import type { Scalar, Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs-node';
import {
  auxiliaryHeads,
  HEAD_PLANES,
  type AuxiliaryHead,
  type NetworkShape,
  type PolicyName,
} from './network.js';
import type { LearnerConfig } from '../config/learner-config.js';
import { ParameterTensors, TensorNetwork, type LegalIndices, type PlainHead } from './tensor-network.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import type { PolicyColumns, TrainingBatch } from '../learning/training-batch.js';

/** What a probability is taken to be at least, where its logarithm is needed. */
const SMALLEST_PROBABILITY = 1e-30;

/** Sums over the rows of a batch, from which means over several batches can be made. */
export interface LossSums {
  /** Cross-entropies of the policy, each times its row's weight, in nats. */
  readonly policyLoss: number;
  /** Sum of the rows' weights in the policy loss. */
  readonly policyWeight: number;
  /** Weights of the rows whose most probable action is that of the target. */
  readonly policyCorrect: number;
  /** Entropies of the network's policy over the legal actions, each times its row's weight, in nats. */
  readonly policyEntropy: number;
  /** The same of the policy to learn. */
  readonly targetEntropy: number;
  /** Cross-entropies of win, draw, loss, each times its row's weight, in nats. */
  readonly valueLoss: number;
  /** Sum of the rows' weights in the value loss. */
  readonly valueWeight: number;
  /** Huber losses of the plies left, in their unit; 0 here and below where the network has no such head. */
  readonly movesLeftLoss: number;
  readonly movesLeftWeight: number;
  /** Cross-entropies of who holds the squares, a mean over squares for each row, in nats. */
  readonly holdersLoss: number;
  readonly holdersWeight: number;
  /** Cross-entropies of the survival of rings, a mean over the squares of rings for each row, in nats. */
  readonly ringsLoss: number;
  /** Rows with a ring whose future is known. */
  readonly ringsWeight: number;
  /** Cross-entropies of the opponent's reply over its legal moves, each times its row's weight, in nats. */
  readonly replyLoss: number;
  readonly replyWeight: number;
  /** Cross-entropies of the value that the next searches see, in nats. */
  readonly shortTermLoss: number;
  readonly shortTermWeight: number;
}

/** How much each head counts in what is minimised; the policy's loss counts 1. */
export type LossWeights = Pick<
  LearnerConfig,
  'valueWeight' | 'movesLeftWeight' | 'holdersWeight' | 'ringsWeight' | 'replyWeight' | 'shortTermWeight'
>;

/** Errors of plies left up to this count by their square, greater ones by their size (Huber 1964), as in lc0. */
const HUBER_DELTA = 0.5;

/** What a network makes of a batch. */
export interface BatchEvaluation {
  readonly sums: LossSums;
  /** `[B, 3]` probabilities of win, draw and loss. */
  readonly outcomes: Float32Array;
}

/** `PolicyColumns` on TensorFlow, same names and shapes. */
interface PolicyTensors {
  readonly legal: LegalIndices;
  readonly padding: Tensor2D;
  readonly policy: Tensor2D;
  readonly weights: Tensor1D;
}

/** A `TrainingBatch` on TensorFlow, same names and shapes. */
interface BatchTensors {
  readonly observations: Tensor4D;
  readonly policy: PolicyTensors;
  /** Null where the network has no such head. */
  readonly reply: PolicyTensors | null;
  readonly outcomes: Tensor2D;
  readonly outcomeWeights: Tensor1D;
  /** `targets` and `weights` of the other heads, as the loss of each needs them. */
  readonly auxiliary: ReadonlyMap<PlainHead, { readonly targets: Tensor; readonly weights: Tensor }>;
}

interface Forward {
  /** Summed over the batch. */
  readonly loss: Scalar;
  readonly sums: Tensor;
  readonly outcomeLogits: Tensor2D;
}

/**
 * What is minimised: the mean over the batch of the cross-entropy of the policy over the legal actions,
 * plus those of the other heads, each times its weight. A row of weight 0 counts as 0.
 */
export class NetworkLoss {
  private readonly tf: Tensorflow;
  private readonly network: TensorNetwork;
  private readonly lossWeights: LossWeights;
  private readonly heads: readonly AuxiliaryHead[];

  constructor(tf: Tensorflow, shape: NetworkShape, lossWeights: LossWeights) {
    this.tf = tf;
    this.network = new TensorNetwork(tf, shape);
    this.lossWeights = lossWeights;
    this.heads = auxiliaryHeads(shape.config);
  }

  /** The losses of a batch, and what it expects of its games. Leaves no tensor. */
  evaluate(weights: Float32Array, batch: TrainingBatch): BatchEvaluation {
    const [sums, outcomes] = this.tf.tidy(() => {
      const forward = this.forward(this.network.parameterTensors(weights), this.batchTensors(batch));
      return [forward.sums, forward.outcomeLogits.softmax<Tensor2D>()];
    });
    const evaluation = { sums: readSums(sums, this.heads, batch), outcomes: outcomes.dataSync<'float32'>() };
    outcomes.dispose();
    return evaluation;
  }

  /** The losses of a batch; writes the gradient of the mean loss over all of `out`. Leaves no tensor. */
  differentiate(weights: Float32Array, batch: TrainingBatch, out: Float32Array): LossSums {
    const { tf } = this;
    let sums: Tensor | undefined;
    const gradient = tf.tidy(() => {
      const data = this.batchTensors(batch);
      const loss = (...tensors: Tensor[]): Scalar => {
        const forward = this.forward(tensors, data);
        sums = tf.keep(forward.sums);
        return forward.loss.div(batch.size);
      };
      const gradients = tf.grads(loss)(this.network.parameterTensors(weights));
      return tf.concat(gradients.map((tensor) => tensor.reshape([-1])));
    });
    out.set(gradient.dataSync<'float32'>());
    gradient.dispose();
    return readSums(sums!, this.heads, batch);
  }

  private batchTensors(batch: TrainingBatch): BatchTensors {
    const { tf, network } = this;
    const { size, width, legal, padding, policy, reply } = batch;
    return {
      observations: network.observationTensor(batch.observations, size),
      policy: this.policyTensors(size, { width, legal, padding, policy, weights: batch.policyWeights }),
      reply: reply === null ? null : this.policyTensors(size, reply),
      outcomes: tf.tensor2d(batch.outcomes.subarray(0, size * 3), [size, 3]),
      outcomeWeights: tf.tensor1d(batch.outcomeWeights.subarray(0, size)),
      auxiliary: new Map(
        this.heads
          .filter((head) => head !== 'reply')
          .map((head) => [head, this.auxiliaryTensors(head, batch)] as const),
      ),
    };
  }

  private policyTensors(size: number, columns: PolicyColumns): PolicyTensors {
    const { tf } = this;
    const { width, legal } = columns;
    const tensor = (values: Float32Array): Tensor2D =>
      tf.tensor2d(values.subarray(0, size * width), [size, width]);
    return {
      legal: this.network.legalIndices({ size, width, legal }),
      padding: tensor(columns.padding),
      policy: tensor(columns.policy),
      weights: tf.tensor1d(columns.weights.subarray(0, size)),
    };
  }

  private auxiliaryTensors(head: PlainHead, batch: TrainingBatch): { targets: Tensor; weights: Tensor } {
    const { tf } = this;
    const [rows, columns] = this.network.shape.observation;
    const [size, squares] = [batch.size, rows * columns];
    const tensor = (values: Float32Array, ...shape: number[]): Tensor =>
      tf.tensor(values.subarray(0, sizeOfShape(shape)), shape);
    switch (head) {
      case 'movesLeft':
        return { targets: tensor(batch.movesLeft, size), weights: tensor(batch.movesLeftWeights, size) };
      case 'shortTerm':
        return {
          targets: tensor(batch.shortTerm, size, 1),
          weights: tensor(batch.shortTermWeights, size, 1),
        };
      case 'holders': {
        // A row for each square, each with its share of the weight.
        const weights = tensor(batch.holdersWeights, size).div(squares).reshape([size, 1]).tile([1, squares]);
        return { targets: tensor(batch.holders, size * squares, 3), weights: weights.reshape([-1]) };
      }
      case 'rings': {
        const shape = [size, rows, columns, HEAD_PLANES.rings];
        return { targets: tensor(batch.rings, ...shape), weights: tensor(batch.ringsWeights, ...shape) };
      }
    }
  }

  private auxiliaryLoss(head: PlainHead, output: Tensor, data: BatchTensors): Tensor {
    const { gradients } = this.network;
    const { targets, weights } = data.auxiliary.get(head)!;
    switch (head) {
      case 'movesLeft': {
        const distance = output.reshape([-1]).sub(targets).abs();
        const square = distance.minimum(HUBER_DELTA);
        const loss = square.square().mul(0.5).add(distance.sub(square).mul(HUBER_DELTA));
        return loss.mul(weights).sum();
      }
      case 'holders':
        return gradients.weightedCrossEntropy(
          output.reshape([-1, HEAD_PLANES.holders]),
          targets as Tensor2D,
          weights as Tensor1D,
        );
      case 'rings':
      case 'shortTerm':
        return gradients.weightedBinaryCrossEntropy(output, targets, weights);
    }
  }

  /** What the gradients need lives as long as `tensors` and `data`. */
  private forward(tensors: readonly Tensor[], data: BatchTensors): Forward {
    const { tf, network } = this;
    const { outcomes, outcomeWeights } = data;
    const { policy, weights: policyWeights } = data.policy;
    const parameters = new ParameterTensors(network.specs, tensors);
    const features = network.features(parameters, data.observations);
    const logitsOf = (name: PolicyName, { legal, padding }: PolicyTensors): Tensor2D =>
      network.legalLogits(parameters, features, legal, name).add<Tensor2D>(padding);
    const logits = logitsOf('policy', data.policy);
    const policyLoss = network.gradients.weightedCrossEntropy(logits, policy, policyWeights);
    const { outcome: outcomeLogits, auxiliary } = network.heads(parameters, features);
    const valueLoss = network.gradients.weightedCrossEntropy(outcomeLogits, outcomes, outcomeWeights);
    const correct = logits.argMax(1).equal(policy.argMax(1)).cast('float32').mul(policyWeights).sum();
    let loss = policyLoss.add<Scalar>(valueLoss.mul(this.lossWeights.valueWeight));
    const others: Tensor[] = [];
    for (const head of this.heads) {
      const other =
        head === 'reply'
          ? network.gradients.weightedCrossEntropy(
              logitsOf(head, data.reply!),
              data.reply!.policy,
              data.reply!.weights,
            )
          : this.auxiliaryLoss(head, auxiliary.get(head)!, data);
      others.push(other);
      loss = loss.add(other.mul(this.lossWeights[`${head}Weight`]));
    }
    return {
      loss,
      sums: tf.stack([
        policyLoss,
        valueLoss,
        correct,
        entropySum(logits.softmax(), policyWeights),
        entropySum(policy, policyWeights),
        ...others,
      ]),
      outcomeLogits,
    };
  }
}

/** Sum over rows of the entropy of `probabilities` `[B, K]`, whose rows sum to 1, times its weight. */
function entropySum(probabilities: Tensor2D, weights: Tensor1D): Tensor {
  // Zeros add nothing: 0 * log(smallest) = 0.
  const logs = probabilities.maximum(SMALLEST_PROBABILITY).log();
  return probabilities.mul(logs).sum(1).mul(weights).sum().neg();
}

/** Reads what `forward` summed, in its order, and disposes of it. */
function readSums(tensor: Tensor, heads: readonly AuxiliaryHead[], batch: TrainingBatch): LossSums {
  const [policyLoss, valueLoss, policyCorrect, policyEntropy, targetEntropy, ...others] =
    tensor.dataSync<'float32'>();
  tensor.dispose();
  const sum = (weights: Float32Array, length = batch.size): number =>
    weights.subarray(0, length).reduce((total, weight) => total + weight, 0);
  const other = (head: AuxiliaryHead): number => others[heads.indexOf(head)] ?? 0;
  return {
    policyLoss: policyLoss!,
    policyWeight: sum(batch.policyWeights),
    policyCorrect: policyCorrect!,
    policyEntropy: policyEntropy!,
    targetEntropy: targetEntropy!,
    valueLoss: valueLoss!,
    valueWeight: sum(batch.outcomeWeights),
    movesLeftLoss: other('movesLeft'),
    movesLeftWeight: sum(batch.movesLeftWeights),
    holdersLoss: other('holders'),
    holdersWeight: sum(batch.holdersWeights),
    ringsLoss: other('rings'),
    ringsWeight: sum(batch.ringsWeights, (batch.ringsWeights.length / batch.capacity) * batch.size),
    replyLoss: other('reply'),
    replyWeight: batch.reply === null ? 0 : sum(batch.reply.weights),
    shortTermLoss: other('shortTerm'),
    shortTermWeight: sum(batch.shortTermWeights),
  };
}
