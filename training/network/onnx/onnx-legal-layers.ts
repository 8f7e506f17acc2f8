import { policySize, targetOffsets } from '../base-shape.js';
import type { Layer, LegalLayerBuilder, MoveVectors } from '../layer-builder.js';
import { ONNX_TYPE } from './onnx-graph.js';
import { OnnxLayers } from './onnx-layers.js';

/** Output of the graph: `[B, K]` logits of the actions in its input `legal`. */
export const LEGAL_LOGITS = 'legalLogits';

/** Layers with logits of legal actions only, given by the name of a value with policy indices, int32 `[B, K]`. */
export class OnnxLegalLayers extends OnnxLayers implements LegalLayerBuilder<string, string> {
  legalSquareLogits(layer: Layer, planes: string, legal: string): string {
    const { graph } = this;
    const [squares] = policySize(this.shape);
    const logits = this.planesOf(layer, planes);
    // Arithmetic on the few legal indices costs less than transposing all logits to planes over the squares.
    const { square, plane } = this.squareAndPlane(legal);
    const numSquares = graph.constant('numSquares', Int32Array.of(squares), [1]);
    const start = graph.node('Mul', [plane, numSquares], `${legal}/start`);
    const index = graph.node('Add', [start, square], `${legal}/index`);
    const flat = graph.node('Flatten', [logits], `${layer.name}/flat`);
    return graph.node('GatherElements', [flat, index], LEGAL_LOGITS, { axis: 1 });
  }

  /** Multiplies the vectors of the two squares of each action: fewer products than for all pairs of squares. */
  legalMoveLogits(layer: Layer, { from, to }: MoveVectors<string>, legal: string): string {
    const { graph } = this;
    const [, planes] = policySize(this.shape);
    const { kernel, kernelShape, bias } = this.weights(layer);
    const width = kernelShape[2]!;
    const planeVectors = new Float32Array(kernel.length);
    kernel.forEach((weight, i) => (planeVectors[(i % planes) * width + Math.floor(i / planes)] = weight));
    const { square, plane } = this.squareAndPlane(legal);
    const query = this.gatherRows(this.vectorRows(from), square, `${legal}/query`);
    const key = this.gatherRows(this.vectorRows(to), this.targets(legal, square, plane), `${legal}/key`);
    const vectors = graph.constant(`${layer.name}/kernel`, planeVectors, [planes, width]);
    const ofPlane = graph.node('Gather', [vectors, plane], `${legal}/planeVector`);
    const sum = graph.node('Add', [key, ofPlane], `${legal}/keyInPlane`);
    const products = graph.node('Mul', [query, sum], `${legal}/products`);
    const axis = graph.constant(`${legal}/width`, BigInt64Array.of(2n), [1]);
    const product = graph.node('ReduceSum', [products, axis], `${legal}/product`, { keepdims: 0 });
    const biases = graph.constant(`${layer.name}/bias`, bias, [planes]);
    const biasOfPlane = graph.node('Gather', [biases, plane], `${legal}/bias`);
    return graph.node('Add', [product, biasOfPlane], LEGAL_LOGITS);
  }

  legalElements(logits: string, legal: string): string {
    return this.graph.node('GatherElements', [logits, legal], LEGAL_LOGITS, { axis: 1 });
  }

  /** The from square and the plane of each legal index, `[B, K]`. */
  private squareAndPlane(legal: string): { readonly square: string; readonly plane: string } {
    const [, planes] = policySize(this.shape);
    const numPlanes = this.graph.constant('numPlanes', Int32Array.of(planes), [1]);
    return {
      square: this.graph.node('Div', [legal, numPlanes], `${legal}/square`),
      plane: this.graph.node('Mod', [legal, numPlanes], `${legal}/plane`),
    };
  }

  /** The to square of each legal index, `[B, K]`, whose from square and plane are known. */
  private targets(legal: string, square: string, plane: string): string {
    const { graph, shape } = this;
    const offsets = targetOffsets(shape);
    if (offsets === null) {
      const targets = Int32Array.from(shape.policyTargets!);
      const table = graph.constant('policyTargets', targets, [targets.length]);
      return graph.node('Gather', [table, legal], `${legal}/target`);
    }
    const table = graph.constant('targetOffsets', offsets, [offsets.length]);
    const offset = graph.node('Gather', [table, plane], `${legal}/offset`);
    const numSquares = graph.constant('numSquares', Int32Array.of(policySize(shape)[0]), [1]);
    const sum = graph.node('Add', [square, offset], `${legal}/unwrapped`);
    return graph.node('Mod', [sum, numSquares], `${legal}/target`);
  }

  /** Row `index` `[B, K]` of the vectors `[B, S, width]` of each position: `[B, K, width]`. */
  private gatherRows(rows: string, index: string, output: string): string {
    const { graph } = this;
    const last = graph.constant(`${output}/axis`, BigInt64Array.of(2n), [1]);
    const wide = graph.node('Cast', [index], `${output}/index`, { to: ONNX_TYPE.int64 });
    const column = graph.node('Unsqueeze', [wide, last], `${output}/column`);
    return graph.node('GatherND', [rows, column], output, { batch_dims: 1 });
  }
}
