import type { Tensor } from '@tensorflow/tfjs-node';
import type * as z from 'zod';
import type { Game } from '../../../env/game.js';
import type { Tensorflow } from '../../tensorflow/tensorflow.js';
import type { BaseShape } from '../base-shape.js';
import type { RawGradients } from '../gradients/raw-gradients.js';
import { heLayer, type LayerBuilder } from '../layer-builder.js';
import type { TensorLayers } from '../tensor-layers.js';
import type { PlacedRow, RowSource } from './placed-row.js';
import type { HeadColumns, TargetColumns, TargetTensors } from './target-columns.js';

/** Inputs of the heads. */
export interface HeadInputs<Value> {
  /** The trunk's output, `channels` planes. */
  readonly features: Value;
  /** `[B, valueHidden]` the hidden layer shared by heads with numeric outputs. */
  readonly hidden: () => Value;
}

/** The inputs of the heads; the hidden layer is added when a head first requests it. */
export function headInputs<Value>(
  builder: LayerBuilder<Value>,
  { config: { channels, valueHidden } }: BaseShape,
  features: Value,
): HeadInputs<Value> {
  let hidden: { readonly value: Value } | undefined;
  return {
    features,
    hidden: () => {
      hidden ??= {
        value: builder.pooledDense(heLayer('hidden', [2 * channels, valueHidden]), features),
      };
      return hidden.value;
    },
  };
}

/** Writes the targets of a head from rows of shards. */
export interface TargetWriter<Columns extends HeadColumns = HeadColumns> {
  /** Allocates room for the targets of `rows`, if it depends on them. */
  begin?(columns: Columns, source: RowSource, rows: Uint32Array): void;
  /** Writes all targets and weights of row `row` of a batch. */
  write(columns: Columns, row: number, at: PlacedRow): void;
}

/** Tools for computing losses. */
export interface LossTools {
  readonly tf: Tensorflow;
  readonly gradients: RawGradients;
  readonly shape: BaseShape;
}

/** A head's output for a batch, compared with its targets. Sums are over the rows, each multiplied by its weight. */
export interface HeadEvaluation {
  /** For heads of actions: only the logits of the legal ones. */
  readonly output: Tensor;
  /** Sum of the losses. */
  readonly loss: Tensor;
  /** Sums of the head's other `measures`, in their order. */
  readonly measures: readonly Tensor[];
}

/** Adds a head's layers for training and compares its output with targets that are already on TensorFlow. */
export type HeadLoss = (layers: TensorLayers, inputs: HeadInputs<Tensor>) => HeadEvaluation;

/** One head of the network: everything that is specific to it. */
export interface Head {
  /** Name of its output, its last layer and its setting. */
  readonly name: string;
  /**
   * Part of the names of its loss in metrics, `LABELLoss`, and of the loss weight in the learner's settings,
   * `LABELWeight`.
   */
  readonly label: string;
  /** Description for people. */
  readonly title: string;
  /** The meaning of its output, for `spec.json`. */
  readonly meaning: string;
  /** Settings of the learner: the weight of the loss, except for the policy, and any that determine the target. */
  readonly learnerSettings: z.ZodRawShape;
  /** Names in metrics of the means that are measured in addition to the loss. */
  readonly measures: readonly string[];
  /** Shape of its output for one position. */
  outputShape(shape: BaseShape): readonly number[];
  /** Adds its layers; returns its output, named after it. */
  output<Value>(builder: LayerBuilder<Value>, shape: BaseShape, inputs: HeadInputs<Value>): Value;
  /** Allocates room for the targets of `capacity` rows. */
  columns(shape: BaseShape, capacity: number, maxLegalActions: number): HeadColumns;
  /**
   * Creates a writer of targets from rows of `game`.
   *
   * @param settings values of `learnerSettings`.
   */
  targets<State>(game: Game<State>, settings: object): TargetWriter;
  /**
   * Copies the targets of the first `size` rows to TensorFlow.
   *
   * @param columns made by this head.
   * @returns the loss against them; both belong to the caller's `tf.tidy`.
   */
  loss(tools: LossTools, columns: HeadColumns, size: number): HeadLoss;
}

/** An optional head. */
export interface AuxiliaryHead extends Head {
  /** Whether the network has it. */
  readonly setting: z.ZodDefault<z.ZodBoolean>;
  /** Reason why networks of this game cannot have it; null if they can. */
  readonly unsupported: (game: Game<unknown>) => string | null;
}

/**
 * The loss of a head with targets of one shape.
 *
 * @param lossOf sum of the losses of the head's output.
 * @param prepare changes the targets and weights once, before they are compared with anything.
 */
export function targetLoss(
  output: Head['output'],
  lossOf: (gradients: RawGradients, logits: Tensor, data: TargetTensors) => Tensor,
  prepare: (data: TargetTensors) => TargetTensors = (data) => data,
): (tools: LossTools, columns: TargetColumns, size: number) => HeadLoss {
  return ({ tf, gradients, shape }, columns, size) => {
    const data = prepare(columns.tensors(tf, size));
    return (layers, inputs) => {
      const logits = output(layers, shape, inputs);
      return { output: logits, loss: lossOf(gradients, logits, data), measures: [] };
    };
  };
}
