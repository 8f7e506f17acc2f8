import { policySize, type BaseShape } from './base-shape.js';
import {
  heLayer,
  zeroLayer,
  type Layer,
  type LayerBuilder,
  type LegalLayerBuilder,
  type MoveVectors,
} from './layer-builder.js';

/** Planes between the trunk and a dense policy head. */
const DENSE_PLANES = 8;

/** Inputs of a head with action logits: its name, the prefix of its layers' names, and the trunk's features. */
export interface PolicyInput<Value> {
  readonly name: string;
  readonly features: Value;
}

/** The layer whose planes are the logits of the actions of each square. */
function squareLayer(shape: BaseShape, name: string): Layer {
  const { channels, policyAttention } = shape.config;
  const inputs = shape.policyForm === 'attention' ? policyAttention : channels;
  return zeroLayer(name, [1, 1, inputs, policySize(shape)[1]]);
}

function moveVectors<Value>(
  builder: LayerBuilder<Value>,
  { config: { channels, policyAttention: width } }: BaseShape,
  { name, features }: PolicyInput<Value>,
): MoveVectors<Value> {
  const kernel = [1, 1, channels, width];
  return {
    from: builder.convolution(heLayer(`${name}_from`, kernel, { activation: 'none' }), features),
    to: builder.convolution(zeroLayer(`${name}_to`, kernel), features),
  };
}

/** `[B, numActions]` logits of all actions, by policy index. */
export function policyLogits<Value>(
  builder: LayerBuilder<Value>,
  shape: BaseShape,
  input: PolicyInput<Value>,
): Value {
  const { name, features } = input;
  switch (shape.policyForm) {
    case 'convolution':
      return builder.squareLogits(name, squareLayer(shape, name), features);
    case 'attention': {
      const { from, to } = moveVectors(builder, shape, input);
      const ofMoves = builder.moveLogits(`${name}_moves`, from, to);
      const ofSquares = builder.squareLogits(`${name}_squares`, squareLayer(shape, name), from);
      return builder.add(name, ofMoves, ofSquares);
    }
    case 'dense': {
      const { channels } = shape.config;
      const squares = shape.observation[0] * shape.observation[1];
      const planes = heLayer(`${name}_planes`, [1, 1, channels, DENSE_PLANES]);
      const dense = zeroLayer(name, [squares * DENSE_PLANES, shape.numActions]);
      return builder.flatDense(dense, builder.convolution(planes, features));
    }
  }
}

/** `[B, K]` logits of the legal actions only: in Gess, a few hundred of 57,600 per position. */
export function legalLogits<Value, Legal>(
  builder: LegalLayerBuilder<Value, Legal>,
  shape: BaseShape,
  input: PolicyInput<Value>,
  legal: Legal,
): Value {
  const { name, features } = input;
  switch (shape.policyForm) {
    case 'convolution':
      return builder.legalSquareLogits(squareLayer(shape, name), features, legal);
    case 'attention':
      return builder.legalMoveLogits(squareLayer(shape, name), moveVectors(builder, shape, input), legal);
    case 'dense':
      return builder.legalElements(policyLogits(builder, shape, input), legal);
  }
}
