import { DENSE_POLICY_PLANES, parameterSpecs, type Network, type PolicyName } from './network.js';
import { ONNX_TYPE, type LayerWeights, type OnnxGraph } from './onnx-graph.js';

/** The weights of a layer by its name. */
export type WeightsOf = (layer: string) => LayerWeights;

/** The weights of the layers of a network. */
export function weightsOf(network: Network): WeightsOf {
  const shapes = new Map(parameterSpecs(network.shape).map((spec) => [spec.name, spec.shape]));
  return (layer) => ({
    kernel: network.parameters.get(`${layer}/kernel`)!,
    kernelShape: shapes.get(`${layer}/kernel`)!,
    bias: network.parameters.get(`${layer}/bias`)!,
  });
}

/** A graph, the name of the trunk's features `[B, channels, R, C]` in it, and whose they are. */
export interface PolicyInput {
  readonly graph: OnnxGraph;
  readonly features: string;
  readonly network: Network;
}

/** Rows of the dense policy kernel, from planes fastest (TensorFlow) to planes slowest (ONNX). */
function planesFirst(weights: LayerWeights): LayerWeights {
  const [rows, actions] = weights.kernelShape as [number, number];
  const squares = rows / DENSE_POLICY_PLANES;
  const kernel = new Float32Array(weights.kernel.length);
  for (let row = 0; row < rows; row++) {
    const square = Math.floor(row / DENSE_POLICY_PLANES);
    const plane = row % DENSE_POLICY_PLANES;
    kernel.set(
      weights.kernel.subarray(row * actions, (row + 1) * actions),
      (plane * squares + square) * actions,
    );
  }
  return { ...weights, kernel };
}

/** `[S, P]`: squares, and planes of logits a square. */
function policySize({ shape }: Network): readonly [squares: number, planes: number] {
  const squares = shape.observation[0] * shape.observation[1];
  return [squares, shape.numActions / squares];
}

function addDenseLogits({ graph, features, network }: PolicyInput, name: PolicyName, output: string): void {
  const weights = weightsOf(network);
  const planes = `${name}_planes`;
  const sum = graph.convolution(planes, features, weights(planes));
  const flat = graph.node('Flatten', [graph.relu(sum, planes)], `${planes}/flat`);
  graph.dense(name, flat, planesFirst(weights(name)), output);
}

/** `[B, A]` of planes `[B, P, R, C]`. */
function flattenPlanes(graph: OnnxGraph, planes: string, prefix: string, output: string): string {
  const squaresFirst = graph.node('Transpose', [planes], `${prefix}/squares`, { perm: [0, 2, 3, 1] });
  return graph.node('Flatten', [squaresFirst], output);
}

/** `[B, width, S]`: a vector a square, by a 1x1 convolution. */
function addVectors({ graph, features, network }: PolicyInput, layer: string): string {
  const planes = graph.convolution(layer, features, weightsOf(network)(layer));
  // 0 keeps the length, -1 is the rest.
  const shape = graph.constant(`${layer}/shape`, BigInt64Array.of(0n, 0n, -1n), [3]);
  return graph.node('Reshape', [planes, shape], `${layer}/vectors`);
}

/** `[B, S, width]` of `[B, width, S]`. */
function addRows(graph: OnnxGraph, vectors: string): string {
  return graph.node('Transpose', [vectors], `${vectors}/rows`, { perm: [0, 2, 1] });
}

/** The products of all pairs of squares, and of them those that are moves. */
function addAttentionLogits(input: PolicyInput, name: PolicyName, output: string): void {
  const { graph, network } = input;
  const [squares, planes] = policySize(network);
  const weights = weightsOf(network);
  const queryPlanes = graph.convolution(`${name}_from`, input.features, weights(`${name}_from`));
  const shape = graph.constant(`${name}_from/shape`, BigInt64Array.of(0n, 0n, -1n), [3]);
  const queries = graph.node('Reshape', [queryPlanes, shape], `${name}_from/vectors`);
  const keys = addVectors(input, `${name}_to`);
  const products = graph.node('MatMul', [addRows(graph, queries), keys], `${name}/products`);
  const pairs = Int32Array.from(
    network.shape.policyTargets!,
    (target, index) => Math.floor(index / planes) * squares + target,
  );
  const ofPairs = graph.node(
    'Gather',
    [
      graph.node('Flatten', [products], `${name}/pairs`),
      graph.constant(`${name}/moves`, pairs, [pairs.length]),
    ],
    `${name}/ofPairs`,
    { axis: 1 },
  );
  const logits = graph.convolution(name, queryPlanes, weights(name));
  const ofPlanes = flattenPlanes(graph, logits, name, `${name}/ofPlanes`);
  graph.node('Add', [ofPairs, ofPlanes], output);
}

/** Adds the logits of all actions of the head `name`, by policy index, under the name `output`. */
export function addAllLogits(input: PolicyInput, name: PolicyName, output: string): void {
  const { graph, features, network } = input;
  switch (network.shape.policyHead) {
    case 'dense':
      addDenseLogits(input, name, output);
      break;
    case 'convolution': {
      const logits = graph.convolution(name, features, weightsOf(network)(name));
      flattenPlanes(graph, logits, name, output);
      break;
    }
    case 'attention':
      addAttentionLogits(input, name, output);
      break;
  }
}

/** The square and the plane of each legal index, `[B, K]`. */
function addSquareAndPlane(graph: OnnxGraph, planes: number): readonly [square: string, plane: string] {
  const numPlanes = graph.constant('numPlanes', Int32Array.of(planes), [1]);
  return [
    graph.node('Div', ['legal', numPlanes], 'legal/square'),
    graph.node('Mod', ['legal', numPlanes], 'legal/plane'),
  ];
}

/** Logits of the legal actions, from planes of squares. */
function addLegalConvolution({ graph, features, network }: PolicyInput): void {
  const [squares, planes] = policySize(network);
  const logits = graph.convolution('policy', features, weightsOf(network)('policy'));
  // Arithmetic on the few legal indices costs less than transposing all logits to squares of planes.
  const [square, plane] = addSquareAndPlane(graph, planes);
  const numSquares = graph.constant('numSquares', Int32Array.of(squares), [1]);
  const start = graph.node('Mul', [plane, numSquares], 'legal/start');
  const index = graph.node('Add', [start, square], 'legal/index');
  const flat = graph.node('Flatten', [logits], 'policy/flat');
  graph.node('GatherElements', [flat, index], 'legalLogits', { axis: 1 });
}

/** Row `index` `[B, K]` of the vectors `[B, S, width]` of each position: `[B, K, width]`. */
function gatherRows(graph: OnnxGraph, rows: string, index: string, output: string): string {
  const last = graph.constant(`${output}/axis`, BigInt64Array.of(2n), [1]);
  const wide = graph.node('Cast', [index], `${output}/index`, { to: ONNX_TYPE.int64 });
  const column = graph.node('Unsqueeze', [wide, last], `${output}/column`);
  return graph.node('GatherND', [rows, column], output, { batch_dims: 1 });
}

/** Logits of the legal actions, each of the vectors of its two squares: fewer than the products of all pairs. */
function addLegalAttention(input: PolicyInput): void {
  const { graph, network } = input;
  const [, planes] = policySize(network);
  const { kernel, kernelShape, bias } = weightsOf(network)('policy');
  const width = kernelShape[2]!;
  const planeVectors = new Float32Array(kernel.length);
  kernel.forEach((weight, i) => (planeVectors[(i % planes) * width + Math.floor(i / planes)] = weight));
  const targets = Int32Array.from(network.shape.policyTargets!);
  const [square, plane] = addSquareAndPlane(graph, planes);
  const target = graph.node(
    'Gather',
    [graph.constant('policy/targets', targets, [targets.length]), 'legal'],
    'legal/target',
  );
  const query = gatherRows(graph, addRows(graph, addVectors(input, 'policy_from')), square, 'legal/query');
  const key = gatherRows(graph, addRows(graph, addVectors(input, 'policy_to')), target, 'legal/key');
  const ofPlane = graph.node(
    'Gather',
    [graph.constant('policy/kernel', planeVectors, [planes, width]), plane],
    'legal/planeVector',
  );
  const sum = graph.node('Add', [key, ofPlane], 'legal/keyInPlane');
  const products = graph.node('Mul', [query, sum], 'legal/products');
  const axis = graph.constant('legal/width', BigInt64Array.of(2n), [1]);
  const product = graph.node('ReduceSum', [products, axis], 'legal/product', { keepdims: 0 });
  const biases = graph.constant('policy/bias', bias, [planes]);
  graph.node('Add', [product, graph.node('Gather', [biases, plane], 'legal/bias')], 'legalLogits');
}

/** Adds the policy's logits of the actions in the input `legal` `[B, K]`, under the name `legalLogits`. */
export function addLegalLogits(input: PolicyInput): void {
  switch (input.network.shape.policyHead) {
    case 'dense':
      addAllLogits(input, 'policy', 'logits');
      input.graph.node('GatherElements', ['logits', 'legal'], 'legalLogits', { axis: 1 });
      break;
    case 'convolution':
      addLegalConvolution(input);
      break;
    case 'attention':
      addLegalAttention(input);
      break;
  }
}
