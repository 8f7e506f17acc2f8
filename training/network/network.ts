import { sizeOfShape } from '../../env/spaces/shape.js';
import type { Game } from '../../env/game.js';
import type { Rng } from '../../env/random.js';
import type { NetworkConfig } from './network-config.js';

/** Planes between the trunk and a dense policy head. */
export const DENSE_POLICY_PLANES = 8;

/**
 * How the logits of the policy are made, of vectors of the squares of the trunk:
 *
 * - `convolution`: as planes over the squares that moves start from;
 * - `attention`: as products of a vector of the square that a move starts from with one of the square it goes to and
 *   the plane, so that what a move meets need not be brought to where it starts (the idea of lc0's head:
 *   https://lczero.org/blog/2024/02/transformer-progress/; the term of the plane as in Shaw et al. 2018,
 *   "Self-Attention with Relative Position Representations");
 * - `dense`: behind a dense layer.
 */
export type PolicyHead = 'convolution' | 'attention' | 'dense';

/**
 * What a network can tell beside policy and outcome, in the order of the heads:
 *
 * - `movesLeft`: `[B, 1]` plies to the end of the game, in units of `MOVES_LEFT_UNIT`;
 * - `holders`: `[B, R, C, 3]` logits of who holds each square at the end: the mover, the opponent, nobody;
 * - `rings`: `[B, R, C, 2]` logits that the mover's, the opponent's ring at this square survives;
 * - `reply`: `[B, numActions]` logits of the opponent's next move, by policy index as the mover sees the board;
 * - `shortTerm`: `[B, 1]` the logit of the mover's chance to win, by the searches of the next plies.
 */
export type AuxiliaryHead = 'movesLeft' | 'holders' | 'rings' | 'reply' | 'shortTerm';

/** Heads that tell one number. */
export type NumberHead = 'movesLeft' | 'shortTerm';

/** Whether the head tells one number. */
export function isNumberHead(head: AuxiliaryHead): head is NumberHead {
  return head === 'movesLeft' || head === 'shortTerm';
}

/** The heads with one logit an action, which are made alike. */
export type PolicyName = 'policy' | 'reply';

/** Plies that a `movesLeft` of 1 stands for, so that the head learns numbers of about 1. */
export const MOVES_LEFT_UNIT = 20;

/** Planes of the heads over the board. */
export const HEAD_PLANES = { holders: 3, rings: 2 } as const;

/** The heads that a network has beside policy and outcome, in their order. */
export function auxiliaryHeads(config: NetworkConfig): readonly AuxiliaryHead[] {
  return (['movesLeft', 'holders', 'rings', 'reply', 'shortTerm'] as const).filter((head) => config[head]);
}

/** Shape of what the head answers for one position. */
export function headShape(
  head: AuxiliaryHead,
  { observation: [rows, columns], numActions }: Pick<NetworkShape, 'observation' | 'numActions'>,
): readonly number[] {
  if (head === 'reply') return [numActions];
  return isNumberHead(head) ? [1] : [rows, columns, HEAD_PLANES[head]];
}

/** Whether block `block`, from 1, adds what it pools from the whole board. */
export function isPooled(block: number, { globalPoolEvery }: NetworkConfig): boolean {
  return globalPoolEvery > 0 && block % globalPoolEvery === 0;
}

/** What decides the shapes of all parameters. */
export interface NetworkShape {
  /** `[rows, columns, planes]` of the input. */
  readonly observation: readonly [rows: number, columns: number, planes: number];
  readonly numActions: number;
  readonly policyHead: PolicyHead;
  /** `[numActions]` the square that each policy index goes to (`Game.policyTargets`), for attention. */
  readonly policyTargets?: Uint16Array;
  readonly config: NetworkConfig;
}

/** One trained array. */
export interface ParameterSpec {
  /** `layer/kernel` or `layer/bias`, as TensorFlow.js names the weights of the saved model. */
  readonly name: string;
  /** Kernels of convolutions `[height, width, in, out]`, of dense layers `[in, out]`; biases `[out]`. */
  readonly shape: readonly number[];
  /** Standard deviation of the normal distribution that it starts from; 0: it starts at zero. */
  readonly deviation: number;
}

/**
 * A network as plain data: a residual trunk without normalisation, a policy head and an outcome head
 * (docs/training.md, "Network"). The view is the mover's throughout.
 */
export interface Network {
  readonly shape: NetworkShape;
  /** All parameters, one after the other in the order of `parameterSpecs`. */
  readonly weights: Float32Array;
  /** The parameters by name, as views of `weights`. */
  readonly parameters: ReadonlyMap<string, Float32Array>;
}

/**
 * The shape that fits `game`: a policy head of squares where policy indices lie over the board.
 *
 * @throws RangeError for attention in a game without `policyTargets`, which configurations and checkpoints are checked for.
 */
export function networkShape(game: Game<unknown>, config: NetworkConfig): NetworkShape {
  const { observationShape: observation, policyShape, numActions } = game;
  if (config.policyAttention > 0) {
    // Read only here: some games make them at the first look.
    const { policyTargets } = game;
    if (policyTargets === undefined) throw new RangeError(`no policy attention for ${game.id}`);
    return { observation, numActions, policyHead: 'attention', policyTargets, config };
  }
  const liesOverBoard = policyShape[0] === observation[0] && policyShape[1] === observation[1];
  return { observation, numActions, policyHead: liesOverBoard ? 'convolution' : 'dense', config };
}

/**
 * `[numActions]` where the two squares of each policy index are among all pairs of `S` squares, `from * S + to`.
 *
 * @param shape with attention.
 */
export function movePairs({ observation, numActions, policyTargets }: NetworkShape): Int32Array {
  const squares = observation[0] * observation[1];
  const planes = numActions / squares;
  return Int32Array.from(policyTargets!, (target, index) => Math.floor(index / planes) * squares + target);
}

function layer(name: string, kernel: readonly number[], deviation: number): readonly ParameterSpec[] {
  return [
    { name: `${name}/kernel`, shape: kernel, deviation },
    { name: `${name}/bias`, shape: [kernel.at(-1)!], deviation: 0 },
  ];
}

/** Keeps the variance of activations through a layer and its ReLU (He et al. 2015, eq. 10). */
function heDeviation(fanIn: number): number {
  return Math.sqrt(2 / fanIn);
}

/** The parameters of a head with a logit an action. */
function policySpecs(shape: NetworkShape, name: PolicyName): readonly ParameterSpec[] {
  const [rows, columns] = shape.observation;
  const { channels, policyAttention: width } = shape.config;
  const planes = shape.numActions / (rows * columns);
  if (shape.policyHead === 'convolution') return layer(name, [1, 1, channels, planes], 0);
  if (shape.policyHead === 'attention') {
    return [
      ...layer(`${name}_from`, [1, 1, channels, width], heDeviation(channels)),
      ...layer(`${name}_to`, [1, 1, channels, width], 0),
      ...layer(name, [1, 1, width, planes], 0),
    ];
  }
  return [
    ...layer(`${name}_planes`, [1, 1, channels, DENSE_POLICY_PLANES], heDeviation(channels)),
    ...layer(name, [rows * columns * DENSE_POLICY_PLANES, shape.numActions], 0),
  ];
}

/**
 * All parameters of a network, in the order of evaluation.
 *
 * A pooled block adds to its first convolution, before the ReLU, a linear function of the mean and the greatest value
 * of a few channels over the whole board (Wu 2019, "Accelerating Self-Play Learning in Go", section 3.3).
 *
 * The last convolution of each residual branch and the last layer of each head start at zero, the first
 * convolutions of `B` branches are scaled by `B^-1/2`: so a network without normalisation starts as well
 * behaved as one with it (Zhang et al. 2019, "Fixup initialization", section 3.2), and an untrained one
 * answers a uniform policy and outcome.
 */
export function parameterSpecs(shape: NetworkShape): readonly ParameterSpec[] {
  const planes = shape.observation[2];
  const { channels, blocks, valueHidden } = shape.config;
  const trunkKernel = [3, 3, channels, channels];
  const pools = 2 * shape.config.globalPoolChannels;
  const specs = [...layer('stem', [3, 3, planes, channels], heDeviation(9 * planes))];
  for (let block = 1; block <= blocks; block++) {
    const deviation = heDeviation(9 * channels) / Math.sqrt(blocks);
    specs.push(...layer(`block${block}_first`, trunkKernel, deviation));
    if (isPooled(block, shape.config)) {
      const kernel = [3, 3, channels, shape.config.globalPoolChannels];
      specs.push(...layer(`block${block}_pool`, kernel, heDeviation(9 * channels)));
      specs.push(...layer(`block${block}_shift`, [pools, channels], 0));
    }
    specs.push(...layer(`block${block}_second`, trunkKernel, 0));
  }
  specs.push(...policySpecs(shape, 'policy'));
  specs.push(...layer('hidden', [2 * channels, valueHidden], heDeviation(2 * channels)));
  specs.push(...layer('outcome', [valueHidden, 3], 0));
  for (const head of auxiliaryHeads(shape.config)) {
    if (head === 'reply') {
      specs.push(...policySpecs(shape, head));
      continue;
    }
    const kernel = isNumberHead(head) ? [valueHidden, 1] : [1, 1, channels, HEAD_PLANES[head]];
    specs.push(...layer(head, kernel, 0));
  }
  return specs;
}

/**
 * Multiplications of weights that one position takes, all heads included. In self-play the policy's
 * are for all logits too; in training it is computed for legal moves only.
 */
export function multiplyAccumulates(shape: NetworkShape): number {
  const [rows, columns] = shape.observation;
  const squares = rows * columns;
  const heads = shape.config.reply ? 2 : 1;
  const ofPairs = shape.policyHead === 'attention' ? heads * squares ** 2 * shape.config.policyAttention : 0;
  return parameterSpecs(shape).reduce((total, { shape: size }) => {
    if (size.length === 1) return total;
    return total + sizeOfShape(size) * (size.length === 4 ? squares : 1);
  }, ofPairs);
}

/** `88,883 parameters, 33.2 million multiply-accumulates a position`: for people. */
export function describeSize(shape: NetworkShape): string {
  const millions = (multiplyAccumulates(shape) / 1e6).toFixed(1);
  return `${parameterCount(shape).toLocaleString('en-US')} parameters, ${millions} million multiply-accumulates a position`;
}

/** How many numbers a network of this shape learns. */
export function parameterCount(shape: NetworkShape): number {
  return parameterSpecs(shape).reduce((total, spec) => total + sizeOfShape(spec.shape), 0);
}

/** Fills `out` with normal numbers around 0, two from each pair of draws (Box & Muller 1958). */
function fillNormal(out: Float32Array, deviation: number, rng: Rng): void {
  for (let i = 0; i < out.length; i += 2) {
    const radius = deviation * Math.sqrt(-2 * Math.log(1 - rng.float()));
    const angle = 2 * Math.PI * rng.float();
    out[i] = radius * Math.cos(angle);
    if (i + 1 < out.length) out[i + 1] = radius * Math.sin(angle);
  }
}

/** A network of this shape with `weights`, kept, not copied; they must be `parameterCount(shape)`. */
export function networkOf(shape: NetworkShape, weights: Float32Array): Network {
  const parameters = new Map<string, Float32Array>();
  let start = 0;
  for (const spec of parameterSpecs(shape)) {
    const end = start + sizeOfShape(spec.shape);
    parameters.set(spec.name, weights.subarray(start, end));
    start = end;
  }
  return { shape, weights, parameters };
}

/** An untrained network. Equal streams give equal networks. */
export function createNetwork(shape: NetworkShape, rng: Rng): Network {
  const network = networkOf(shape, new Float32Array(parameterCount(shape)));
  for (const spec of parameterSpecs(shape)) {
    if (spec.deviation > 0) fillNormal(network.parameters.get(spec.name)!, spec.deviation, rng);
  }
  return network;
}
