import type { LayerWeights, WeightsOf } from './layer-weights.js';
import { DENSE_POLICY_PLANES, movePairs, type NetworkShape, type PolicyName } from './network.js';
import { ONNX_TYPE, type OnnxGraph } from './onnx-graph.js';

/** A graph, the name of the trunk's features `[B, channels, R, C]` in it, and whose they are. */
export interface HeadInput {
  readonly graph: OnnxGraph;
  readonly features: string;
  readonly shape: NetworkShape;
  readonly weights: WeightsOf;
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
function policySize({ observation, numActions }: NetworkShape): readonly [squares: number, planes: number] {
  const squares = observation[0] * observation[1];
  return [squares, numActions / squares];
}

/** Planes `[B, P, R, C]` of the features, by the convolution of this name. */
function addPlanes({ graph, features, weights }: HeadInput, name: string): string {
  return graph.convolution(name, features, weights(name));
}

function addDenseLogits(input: HeadInput, name: PolicyName, output: string): void {
  const { graph, weights } = input;
  const planes = `${name}_planes`;
  const sum = addPlanes(input, planes);
  const flat = graph.node('Flatten', [graph.relu(sum, planes)], `${planes}/flat`);
  graph.dense(name, flat, planesFirst(weights(name)), output);
}

/** `[B, A]` of planes `[B, P, R, C]`. */
function flattenPlanes(graph: OnnxGraph, planes: string, prefix: string, output: string): string {
  const squaresFirst = graph.node('Transpose', [planes], `${prefix}/squares`, { perm: [0, 2, 3, 1] });
  return graph.node('Flatten', [squaresFirst], output);
}

/** `[B, width, S]`: a vector a square, of planes `[B, width, R, C]`; `prefix` of the nodes' names. */
function addVectors(graph: OnnxGraph, planes: string, prefix: string): string {
  // 0 keeps the length, -1 is the rest.
  const shape = graph.constant(`${prefix}/shape`, BigInt64Array.of(0n, 0n, -1n), [3]);
  return graph.node('Reshape', [planes, shape], `${prefix}/vectors`);
}

/** `[B, S, width]` of `[B, width, S]`. */
function addRows(graph: OnnxGraph, vectors: string): string {
  return graph.node('Transpose', [vectors], `${vectors}/rows`, { perm: [0, 2, 1] });
}

/** The products of all pairs of squares, and of them those that are moves. */
function addAttentionLogits(input: HeadInput, name: PolicyName, output: string): void {
  const { graph, shape, weights } = input;
  const [from, to] = [`${name}_from`, `${name}_to`];
  const queryPlanes = addPlanes(input, from);
  const queries = addVectors(graph, queryPlanes, from);
  const keys = addVectors(graph, addPlanes(input, to), to);
  const products = graph.node('MatMul', [addRows(graph, queries), keys], `${name}/products`);
  const pairs = movePairs(shape);
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
export function addAllLogits(input: HeadInput, name: PolicyName, output: string): void {
  switch (input.shape.policyHead) {
    case 'dense':
      addDenseLogits(input, name, output);
      break;
    case 'convolution':
      flattenPlanes(input.graph, addPlanes(input, name), name, output);
      break;
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
function addLegalConvolution(input: HeadInput): void {
  const { graph } = input;
  const [squares, planes] = policySize(input.shape);
  const logits = addPlanes(input, 'policy');
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
function addLegalAttention(input: HeadInput): void {
  const { graph, shape, weights } = input;
  const [, planes] = policySize(shape);
  const { kernel, kernelShape, bias } = weights('policy');
  const width = kernelShape[2]!;
  const planeVectors = new Float32Array(kernel.length);
  kernel.forEach((weight, i) => (planeVectors[(i % planes) * width + Math.floor(i / planes)] = weight));
  const targets = Int32Array.from(shape.policyTargets!);
  const [square, plane] = addSquareAndPlane(graph, planes);
  const target = graph.node(
    'Gather',
    [graph.constant('policy/targets', targets, [targets.length]), 'legal'],
    'legal/target',
  );
  const rowsOf = (layer: string): string => addRows(graph, addVectors(graph, addPlanes(input, layer), layer));
  const query = gatherRows(graph, rowsOf('policy_from'), square, 'legal/query');
  const key = gatherRows(graph, rowsOf('policy_to'), target, 'legal/key');
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
export function addLegalLogits(input: HeadInput): void {
  switch (input.shape.policyHead) {
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
