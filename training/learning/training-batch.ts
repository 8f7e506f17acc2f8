import { auxiliaryHeads, HEAD_PLANES, type AuxiliaryHead, type NetworkShape } from '../network/network.js';

/** Widths of the legal columns are rounded up to this, so that few shapes of tensors come up. */
const WIDTH_STEP = 32;

/** Added to the logits of columns that pad a row: softmax gives them exactly 0. */
const PADDING_LOGIT = -1e9;

/** Actions of a batch with a distribution over those of each row; `B` rows of `K` columns, `K` is `width`. */
export interface PolicyColumns {
  readonly width: number;
  /** `[B, K]` policy indices of the legal actions, then 0. */
  readonly legal: Int32Array;
  /** `[B, K]` 0 for legal actions, then a logit of padding. */
  readonly padding: Float32Array;
  /** `[B, K]` what is to be learnt, then 0; a row sums to 1. */
  readonly policy: Float32Array;
  /** `[B]` of the rows in the loss. */
  readonly weights: Float32Array;
}

/** The opponent's replies to the positions of a batch, by policy index as their mover sees the board. */
export class ReplyColumns implements PolicyColumns {
  width = 0;
  readonly legal: Int32Array;
  readonly padding: Float32Array;
  readonly policy: Float32Array;
  readonly weights: Float32Array;

  /** @param maxLegalActions no position has more. */
  constructor(capacity: number, maxLegalActions: number) {
    const columns = capacity * roundUp(maxLegalActions);
    this.legal = new Int32Array(columns);
    this.padding = new Float32Array(columns);
    this.policy = new Float32Array(columns);
    this.weights = new Float32Array(capacity);
  }

  /** Makes room for `size` rows of at most `legalActions` each, none of them known: the first action is the reply, at no weight. */
  reset(size: number, legalActions: number): void {
    this.width = roundUp(Math.max(1, legalActions));
    this.legal.fill(0, 0, size * this.width);
    this.policy.fill(0, 0, size * this.width);
    this.padding.fill(PADDING_LOGIT, 0, size * this.width);
    this.weights.fill(0, 0, size);
    for (let row = 0; row < size; row++) {
      // A row that is no distribution would not be zero in the gradient's arithmetic.
      this.policy[row * this.width] = 1;
      this.padding[row * this.width] = 0;
    }
  }
}

/**
 * Samples for one step as flat arrays that are filled again and again. `B` is `size`, `O` the size of an
 * observation, `K` is `width`, `S` the number of squares. Views and values are the mover's. What a network has no head
 * for has no elements.
 */
export class TrainingBatch {
  readonly capacity: number;
  readonly observationSize: number;
  /** Samples in the batch now. */
  size = 0;
  /** Legal columns of each row now: at least the greatest number of legal actions. */
  width = 0;
  /** `[B, O]` */
  readonly observations: Float32Array;
  /** `[B, K]` policy indices of the legal actions, then 0. */
  readonly legal: Int32Array;
  /** `[B, K]` 0 for legal actions, then a logit of padding. */
  readonly padding: Float32Array;
  /** `[B, K]` the policy to learn, then 0; a row sums to 1. */
  readonly policy: Float32Array;
  /** `[B]` of the rows in the policy loss. */
  readonly policyWeights: Float32Array;
  /** `[B, 3]` probabilities of win, draw, loss to learn; a row sums to 1. */
  readonly outcomes: Float32Array;
  /** `[B]` of the rows in the value loss: 0 where nothing is known, 1 elsewhere, a mean of these for merged rows. */
  readonly outcomeWeights: Float32Array;
  /** `[B]` plies to the end of the game, in units of `MOVES_LEFT_UNIT`. */
  readonly movesLeft: Float32Array;
  /** `[B]` 1, or 0 where the game had no end. */
  readonly movesLeftWeights: Float32Array;
  /** `[B, S, 3]` 1 for who holds the square at the end of the game: the mover, the opponent or nobody. */
  readonly holders: Float32Array;
  /** `[B]` 1, or 0 where it is not known. */
  readonly holdersWeights: Float32Array;
  /** `[B, S, 2]` 1 where the mover's, the opponent's ring at this square survives. */
  readonly rings: Float32Array;
  /** `[B, S, 2]` of the squares of rings, those of a row adding up to 1; 0 elsewhere. */
  readonly ringsWeights: Float32Array;
  /** Null where the network does not tell replies. */
  readonly reply: ReplyColumns | null;
  /** `[B]` chances of the mover to win in [0, 1], as the searches of the next plies see them. */
  readonly shortTerm: Float32Array;
  /** `[B]` 1, or 0 where it is not known. */
  readonly shortTermWeights: Float32Array;

  /** @param maxLegalActions no sample has more. */
  constructor(shape: NetworkShape, capacity: number, maxLegalActions: number) {
    const [rows, columns, planes] = shape.observation;
    const columnsInAll = capacity * roundUp(maxLegalActions);
    this.capacity = capacity;
    this.observationSize = rows * columns * planes;
    this.observations = new Float32Array(capacity * this.observationSize);
    this.legal = new Int32Array(columnsInAll);
    this.padding = new Float32Array(columnsInAll);
    this.policy = new Float32Array(columnsInAll);
    this.policyWeights = new Float32Array(capacity);
    this.outcomes = new Float32Array(capacity * 3);
    this.outcomeWeights = new Float32Array(capacity);
    const heads = auxiliaryHeads(shape.config);
    const room = (head: AuxiliaryHead, elements: number): Float32Array =>
      new Float32Array(heads.includes(head) ? capacity * elements : 0);
    const squares = rows * columns;
    this.movesLeft = room('movesLeft', 1);
    this.movesLeftWeights = room('movesLeft', 1);
    this.holders = room('holders', squares * HEAD_PLANES.holders);
    this.holdersWeights = room('holders', 1);
    this.rings = room('rings', squares * HEAD_PLANES.rings);
    this.ringsWeights = room('rings', squares * HEAD_PLANES.rings);
    this.reply = heads.includes('reply') ? new ReplyColumns(capacity, maxLegalActions) : null;
    this.shortTerm = room('shortTerm', 1);
    this.shortTermWeights = room('shortTerm', 1);
  }

  /** Makes room for `size` rows of at most `legalActions` each, all of it padding. */
  reset(size: number, legalActions: number): void {
    this.size = size;
    this.width = roundUp(legalActions);
    this.legal.fill(0, 0, size * this.width);
    this.policy.fill(0, 0, size * this.width);
    this.padding.fill(PADDING_LOGIT, 0, size * this.width);
  }
}

function roundUp(legalActions: number): number {
  return Math.ceil(legalActions / WIDTH_STEP) * WIDTH_STEP;
}
