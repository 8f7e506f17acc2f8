import type { Game, Symmetry } from '../../env/game.js';
import { turnPlanes } from '../../env/definition/turned-planes.js';
import type { EvaluationBatch } from './evaluator.js';
import type { InputTensor } from './inference-session.js';

/** Legal actions of a position are padded to a multiple of this, so that few shapes occur. */
const LEGAL_MULTIPLE = 64;

/** The padded length `K` of a row of `count` legal actions. */
export function paddedLegalCount(count: number): number {
  return Math.ceil(count / LEGAL_MULTIPLE) * LEGAL_MULTIPLE;
}

/**
 * Gathers the inputs of some positions of a batch in reused buffers. With several symmetries, the rows of all positions
 * in the first one come first, then those in the second, and so on.
 */
export class NetworkInputs {
  /** `[positions]` indices in the evaluation batch of the positions to gather. */
  readonly wanted: Int32Array;
  /** `[positions * symmetries * K]` policy indices, in rows of the length that `fillLegal` returned. */
  readonly legal: Int32Array;
  /** `[positions * symmetries, O]` observations of positions that are not adjacent, or transformed. */
  private readonly gathered: Float32Array;
  private readonly symmetries: readonly Symmetry[];
  private readonly shape: readonly [number, number, number];
  /** Size of an observation. */
  private readonly size: number;

  /**
   * @param positions greatest number of positions to gather at once.
   * @param symmetries to gather each position in; the first is the identity.
   */
  constructor(game: Game<unknown>, positions: number, symmetries: readonly Symmetry[]) {
    const [rows, columns, planes] = game.observationShape;
    const most = positions * symmetries.length;
    this.symmetries = symmetries;
    this.shape = game.observationShape;
    this.size = rows * columns * planes;
    this.wanted = new Int32Array(positions);
    this.legal = new Int32Array(most * paddedLegalCount(game.maxLegalActions));
    this.gathered = new Float32Array(most * this.size);
  }

  /**
   * `[count * symmetries, R, C, P]` the observations of the first `count` of `wanted`. A view of the batch or of a
   * buffer: valid until either changes.
   */
  observations(batch: EvaluationBatch, count: number): InputTensor {
    const { symmetries, shape } = this;
    const data = symmetries.length === 1 ? this.adjacent(batch, count) : null;
    return { data: data ?? this.gather(batch, count), shape: [count * symmetries.length, ...shape] };
  }

  /**
   * Fills rows of `legal` with the policy indices of the first `count` of `wanted`.
   *
   * @returns the length of a row.
   */
  fillLegal(batch: EvaluationBatch, count: number): number {
    const { wanted, legal, symmetries } = this;
    let longest = 0;
    for (let place = 0; place < count; place++) {
      const index = wanted[place]!;
      longest = Math.max(longest, batch.start[index + 1]! - batch.start[index]!);
    }
    const width = paddedLegalCount(longest);
    // The ends of shorter rows hold indices of earlier batches; their logits are ignored.
    for (let place = 0; place < count; place++) {
      const index = wanted[place]!;
      const indices = batch.policyIndices.subarray(batch.start[index], batch.start[index + 1]);
      legal.set(indices, place * width);
      for (let turn = 1; turn < symmetries.length; turn++) {
        const { policyIndices } = symmetries[turn]!;
        const row = (turn * count + place) * width;
        for (let i = 0; i < indices.length; i++) legal[row + i] = policyIndices[indices[i]!]!;
      }
    }
    return width;
  }

  /** The observations as a view of the batch, if they are adjacent there. */
  private adjacent(batch: EvaluationBatch, count: number): Float32Array | null {
    const { size, wanted } = this;
    const first = wanted[0]!;
    const last = wanted[count - 1]!;
    return last - first === count - 1 ? batch.observations.subarray(first * size, (last + 1) * size) : null;
  }

  private gather(batch: EvaluationBatch, count: number): Float32Array {
    const { size, wanted, gathered, symmetries } = this;
    for (let place = 0; place < count; place++) {
      const index = wanted[place]!;
      const seen = batch.observations.subarray(index * size, (index + 1) * size);
      gathered.set(seen, place * size);
      for (let turn = 1; turn < symmetries.length; turn++) {
        const row = turn * count + place;
        turnPlanes(symmetries[turn]!, seen, gathered.subarray(row * size, (row + 1) * size));
      }
    }
    return gathered.subarray(0, count * symmetries.length * size);
  }
}
