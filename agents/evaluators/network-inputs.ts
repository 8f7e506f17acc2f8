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

/** Gathers the inputs of some positions of a batch in reused buffers. */
export class NetworkInputs {
  /** `[batchSize]` indices in the evaluation batch of the positions to gather. */
  readonly wanted: Int32Array;
  /** `[batchSize * K]` policy indices of the gathered positions, in rows of the length that `fillLegal` returned. */
  readonly legal: Int32Array;
  /** `[batchSize, O]` observations of positions that are not adjacent, or transformed. */
  private readonly gathered: Float32Array;
  private readonly shape: readonly [number, number, number];
  /** Size of an observation. */
  private readonly size: number;

  constructor(game: Game<unknown>, batchSize: number) {
    const [rows, columns, planes] = game.observationShape;
    this.shape = game.observationShape;
    this.size = rows * columns * planes;
    this.wanted = new Int32Array(batchSize);
    this.legal = new Int32Array(batchSize * paddedLegalCount(game.maxLegalActions));
    this.gathered = new Float32Array(batchSize * this.size);
  }

  /**
   * `[count, R, C, P]` the observations of the first `count` of `wanted`, transformed by `symmetry`. A view of the
   * batch or of a buffer: valid until either changes.
   */
  observations(batch: EvaluationBatch, count: number, symmetry: Symmetry | null): InputTensor {
    const data = symmetry === null ? this.gather(batch, count) : this.gatherTurned(batch, count, symmetry);
    return { data, shape: [count, ...this.shape] };
  }

  /**
   * Fills rows of `legal` with the policy indices of the first `count` of `wanted`, transformed by `symmetry`.
   *
   * @returns the length of a row.
   */
  fillLegal(batch: EvaluationBatch, count: number, symmetry: Symmetry | null): number {
    let longest = 0;
    for (let row = 0; row < count; row++) {
      const index = this.wanted[row]!;
      longest = Math.max(longest, batch.start[index + 1]! - batch.start[index]!);
    }
    const width = paddedLegalCount(longest);
    // The ends of shorter rows hold indices of earlier batches; their logits are ignored.
    for (let row = 0; row < count; row++) {
      const index = this.wanted[row]!;
      const indices = batch.policyIndices.subarray(batch.start[index], batch.start[index + 1]);
      if (symmetry === null) this.legal.set(indices, row * width);
      else {
        const { policyIndices } = symmetry;
        for (let i = 0; i < indices.length; i++) this.legal[row * width + i] = policyIndices[indices[i]!]!;
      }
    }
    return width;
  }

  private gather(batch: EvaluationBatch, count: number): Float32Array {
    const { size, wanted } = this;
    const first = wanted[0]!;
    const last = wanted[count - 1]!;
    if (last - first === count - 1) return batch.observations.subarray(first * size, (last + 1) * size);
    for (let row = 0; row < count; row++) {
      const index = wanted[row]!;
      this.gathered.set(batch.observations.subarray(index * size, (index + 1) * size), row * size);
    }
    return this.gathered.subarray(0, count * size);
  }

  private gatherTurned(batch: EvaluationBatch, count: number, symmetry: Symmetry): Float32Array {
    const { size, wanted } = this;
    for (let row = 0; row < count; row++) {
      const from = wanted[row]! * size;
      const seen = batch.observations.subarray(from, from + size);
      turnPlanes(symmetry, seen, this.gathered.subarray(row * size, (row + 1) * size));
    }
    return this.gathered.subarray(0, count * size);
  }
}
