import type { Scalar, Tensor, Tensor2D } from '@tensorflow/tfjs-node';
import { headInputs, type HeadLoss } from '../network/heads/head.js';
import {
  HEADS,
  headsOf,
  measureNames,
  weightName,
  type HeadName,
  type LossWeightName,
  type NamedHead,
  type SumName,
} from '../network/heads/head-table.js';
import { outcomeHead } from '../network/heads/outcome-head.js';
import type { NetworkShape } from '../network/network-shape.js';
import type { TensorLayers } from '../network/tensor-layers.js';
import { TensorNetwork } from '../network/tensor-network.js';
import { trunk } from '../network/trunk.js';
import type { Tensorflow } from '../tensorflow/tensorflow.js';
import type { MeanInputs } from './optimizer/input-centring.js';
import { MeanInputLayers } from './optimizer/mean-input-layers.js';
import type { TrainingBatch } from './training-batch.js';

/**
 * Sums over the rows of a batch, each multiplied by its weight in its head's loss, and the sums of those weights; means
 * over several batches follow from them. Sums of heads that the network lacks are 0.
 */
export type LossSums = Readonly<Record<SumName, number>>;

/** Factor of each head's loss in the loss that is minimised; the policy's is 1. */
export type LossWeights = Readonly<Record<LossWeightName, number>>;

/** A network's outputs for a batch. */
export interface BatchEvaluation {
  readonly sums: LossSums;
  /** `[B, 3]` probabilities of win, draw and loss. */
  readonly outcomes: Float32Array;
}

/** Results of `NetworkLoss.differentiate` besides the gradient. */
export interface Differentiation {
  readonly sums: LossSums;
  /** Of the trunk's layers. */
  readonly meanInputs: MeanInputs;
}

/** A batch on TensorFlow. */
interface BatchTensors {
  readonly observations: ReturnType<TensorNetwork['observationTensor']>;
  /** The losses against the targets of each head. */
  readonly losses: ReadonlyMap<NamedHead, HeadLoss>;
}

interface Forward {
  /** Summed over the batch. */
  readonly loss: Scalar;
  /** The measures of all heads, in order. */
  readonly sums: Tensor;
  readonly outputs: ReadonlyMap<HeadName, Tensor>;
}

/**
 * The loss that is minimised: the mean over the batch of the cross-entropy of the policy over the legal actions,
 * plus the losses of the other heads, each times its weight. A row of weight 0 counts as 0.
 */
export class NetworkLoss {
  private readonly tf: Tensorflow;
  private readonly network: TensorNetwork;
  private readonly lossWeights: Readonly<Partial<Record<string, number>>>;
  private readonly heads: readonly NamedHead[];

  constructor(tf: Tensorflow, shape: NetworkShape, lossWeights: LossWeights) {
    this.tf = tf;
    this.network = new TensorNetwork(tf, shape);
    this.lossWeights = lossWeights;
    this.heads = headsOf(shape.config);
  }

  /** The losses of a batch, and the expected outcomes. Leaves no tensor. */
  evaluate(weights: Float32Array, batch: TrainingBatch): BatchEvaluation {
    const [sums, outcomes] = this.tf.tidy(() => {
      const data = this.batchTensors(batch);
      const layers = this.network.layers(this.network.parameterTensors(weights), data.observations);
      const forward = this.forward(layers, layers, data);
      const logits = forward.outputs.get(outcomeHead.name) as Tensor2D;
      return [forward.sums, logits.softmax<Tensor2D>()];
    });
    const evaluation = { sums: this.readSums(sums, batch), outcomes: outcomes.dataSync<'float32'>() };
    outcomes.dispose();
    return evaluation;
  }

  /** The losses of a batch; writes the gradient of the mean loss over all of `out`. Leaves no tensor. */
  differentiate(weights: Float32Array, batch: TrainingBatch, out: Float32Array): Differentiation {
    const { tf, network } = this;
    let sums: Tensor | undefined;
    let meanInputs: MeanInputLayers['meanInputs'] = [];
    const gradient = tf.tidy(() => {
      const data = this.batchTensors(batch);
      const loss = (...tensors: Tensor[]): Scalar => {
        const inputs = network.inputs(tensors, data.observations);
        const trunkLayers = new MeanInputLayers(tf, network.gradients, network.shape, inputs);
        const forward = this.forward(trunkLayers, network.layers(tensors, data.observations), data);
        sums = tf.keep(forward.sums);
        ({ meanInputs } = trunkLayers);
        for (const { mean } of meanInputs) tf.keep(mean);
        return forward.loss.div(batch.size);
      };
      const gradients = tf.grads(loss)(network.parameterTensors(weights));
      return tf.concat(gradients.map((tensor) => tensor.reshape([-1])));
    });
    out.set(gradient.dataSync<'float32'>());
    gradient.dispose();
    return { sums: this.readSums(sums!, batch), meanInputs: readMeans(meanInputs) };
  }

  private batchTensors(batch: TrainingBatch): BatchTensors {
    const { tf, network } = this;
    const tools = { tf, gradients: network.gradients, shape: network.shape };
    return {
      observations: network.observationTensor(batch.observations, batch.size),
      losses: new Map(
        Array.from(batch.targets, ([head, columns]) => [head, head.loss(tools, columns, batch.size)]),
      ),
    };
  }

  /**
   * Runs the trunk and the heads, each with its own layers, and computes the losses. Tensors that the
   * gradients need live as long as the arguments.
   */
  private forward(trunkLayers: TensorLayers, layers: TensorLayers, { losses }: BatchTensors): Forward {
    const { shape } = this.network;
    const inputs = headInputs(layers, shape, trunk(trunkLayers, shape));
    const outputs = new Map<HeadName, Tensor>();
    const sums: Tensor[] = [];
    let loss: Tensor | undefined;
    for (const [head, lossOf] of losses) {
      const evaluation = lossOf(layers, inputs);
      const weight = this.lossWeights[weightName(head)];
      const weighted = weight === undefined ? evaluation.loss : evaluation.loss.mul(weight);
      loss = loss === undefined ? weighted : loss.add(weighted);
      outputs.set(head.name, evaluation.output);
      sums.push(evaluation.loss, ...evaluation.measures);
    }
    return { loss: loss as Scalar, sums: this.tf.stack(sums), outputs };
  }

  /** Reads the sums of `forward`, in its order, and disposes of them. */
  private readSums(tensor: Tensor, batch: TrainingBatch): LossSums {
    const values = tensor.dataSync<'float32'>();
    tensor.dispose();
    const sums = noSums();
    const names = this.heads.flatMap(measureNames);
    for (const [i, name] of names.entries()) sums[name] = values[i]!;
    for (const [head, columns] of batch.targets) sums[weightName(head)] = columns.sumOfWeights(batch.size);
    return sums;
  }
}

/** Reads mean inputs and disposes of them. */
function readMeans(inputs: MeanInputLayers['meanInputs']): MeanInputs {
  return new Map(
    inputs.map(({ layer, mean }) => {
      const values = mean.dataSync<'float32'>();
      mean.dispose();
      return [layer.name, values];
    }),
  );
}

function noSums(): Record<SumName, number> {
  const heads: readonly NamedHead[] = HEADS;
  const names = heads.flatMap((head) => [...measureNames(head), weightName(head)]);
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<SumName, number>;
}
