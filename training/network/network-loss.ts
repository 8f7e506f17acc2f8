import type { Scalar, Tensor, Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs-node';
import type { NetworkShape } from './network.js';
import { ParameterTensors, TensorNetwork, type LegalIndices } from './tensor-network.js';
import type { Tensorflow } from '../tensorflow.js';
import type { TrainingBatch } from '../learning/training-batch.js';

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
}

/** What a network makes of a batch. */
export interface BatchEvaluation {
  readonly sums: LossSums;
  /** `[B, 3]` probabilities of win, draw and loss. */
  readonly outcomes: Float32Array;
}

/** A `TrainingBatch` on TensorFlow, same names and shapes. */
interface BatchTensors {
  readonly observations: Tensor4D;
  readonly legal: LegalIndices;
  readonly padding: Tensor2D;
  readonly policy: Tensor2D;
  readonly policyWeights: Tensor1D;
  readonly outcomes: Tensor2D;
  readonly outcomeWeights: Tensor1D;
}

interface Forward {
  /** Summed over the batch. */
  readonly loss: Scalar;
  readonly sums: Tensor;
  readonly outcomeLogits: Tensor2D;
}

/**
 * What is minimised: the mean over the batch of the cross-entropy of the policy over the legal actions,
 * plus `valueWeight` times the cross-entropy of win, draw and loss. A row of weight 0 counts as 0.
 */
export class NetworkLoss {
  private readonly tf: Tensorflow;
  private readonly network: TensorNetwork;
  private readonly valueWeight: number;

  constructor(tf: Tensorflow, shape: NetworkShape, valueWeight: number) {
    this.tf = tf;
    this.network = new TensorNetwork(tf, shape);
    this.valueWeight = valueWeight;
  }

  /** The losses of a batch, and what it expects of its games. Leaves no tensor. */
  evaluate(weights: Float32Array, batch: TrainingBatch): BatchEvaluation {
    const [sums, outcomes] = this.tf.tidy(() => {
      const forward = this.forward(this.network.parameterTensors(weights), this.batchTensors(batch));
      return [forward.sums, forward.outcomeLogits.softmax<Tensor2D>()];
    });
    const evaluation = { sums: readSums(sums, batch), outcomes: outcomes.dataSync<'float32'>() };
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
    return readSums(sums!, batch);
  }

  private batchTensors(batch: TrainingBatch): BatchTensors {
    const { tf, network } = this;
    const { size, width } = batch;
    const columns = (values: Float32Array): Tensor2D =>
      tf.tensor2d(values.subarray(0, size * width), [size, width]);
    return {
      observations: network.observationTensor(batch.observations, size),
      legal: network.legalIndices(batch),
      padding: columns(batch.padding),
      policy: columns(batch.policy),
      policyWeights: tf.tensor1d(batch.policyWeights.subarray(0, size)),
      outcomes: tf.tensor2d(batch.outcomes.subarray(0, size * 3), [size, 3]),
      outcomeWeights: tf.tensor1d(batch.outcomeWeights.subarray(0, size)),
    };
  }

  /** What the gradients need lives as long as `tensors` and `data`. */
  private forward(tensors: readonly Tensor[], data: BatchTensors): Forward {
    const { tf, network } = this;
    const { policy, policyWeights, outcomes, outcomeWeights } = data;
    const parameters = new ParameterTensors(network.specs, tensors);
    const features = network.features(parameters, data.observations);
    const logits = network.legalLogits(parameters, features, data.legal).add<Tensor2D>(data.padding);
    const policyLoss = network.gradients.weightedCrossEntropy(logits, policy, policyWeights);
    const outcomeLogits = network.outcomeLogits(parameters, features);
    const valueLoss = network.gradients.weightedCrossEntropy(outcomeLogits, outcomes, outcomeWeights);
    const correct = logits.argMax(1).equal(policy.argMax(1)).cast('float32').mul(policyWeights).sum();
    return {
      loss: policyLoss.add(valueLoss.mul(this.valueWeight)),
      sums: tf.stack([
        policyLoss,
        valueLoss,
        correct,
        entropySum(logits.softmax(), policyWeights),
        entropySum(policy, policyWeights),
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

function readSums(tensor: Tensor, batch: TrainingBatch): LossSums {
  const [policyLoss, valueLoss, policyCorrect, policyEntropy, targetEntropy] =
    tensor.dataSync() as unknown as [number, number, number, number, number];
  tensor.dispose();
  const sum = (weights: Float32Array): number =>
    weights.subarray(0, batch.size).reduce((total, weight) => total + weight, 0);
  return {
    policyLoss,
    policyWeight: sum(batch.policyWeights),
    policyCorrect,
    policyEntropy,
    targetEntropy,
    valueLoss,
    valueWeight: sum(batch.outcomeWeights),
  };
}
