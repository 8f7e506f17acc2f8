import type { EvaluationBatch } from './evaluator.js';

/** Marks a slot that never had an entry. */
const NOWHERE = -1;
/** Numbers of an entry before its priors: probabilities of win, draw and loss. */
const OUTCOME_SIZE = 3;
/** Priors reserved per position, unless the game has fewer actions. */
const USUAL_PRIORS = 320;

/**
 * Evaluations by the key of their position, in memory of a fixed size: new ones replace the oldest. Evaluations are
 * returned bit for bit as they were written.
 *
 * Entries lie one after the other in a ring of numbers. A slot, chosen by the key, holds the start of its entry,
 * counted in numbers ever written; the entry is valid until the ring overwrites it.
 */
export class EvaluationCache {
  /** Look-ups that found their position, since construction. */
  hits = 0;
  /** Look-ups that did not find their position. */
  misses = 0;
  private readonly numbers: Float32Array;
  /** Numbers ever written: the next goes to `written % numbers.length`. */
  private written = 0;
  private readonly keys: Float64Array;
  private readonly starts: Float64Array;
  private readonly counts: Int32Array;

  /**
   * @param positions number of evaluations that fit if none has more than `USUAL_PRIORS` actions; 0: none.
   */
  constructor(positions: number, maxLegalActions: number) {
    const entrySize = OUTCOME_SIZE + Math.min(maxLegalActions, USUAL_PRIORS);
    // The largest possible entry must fit.
    this.numbers = new Float32Array(positions === 0 ? 0 : positions * entrySize + maxLegalActions);
    this.keys = new Float64Array(2 * positions);
    this.starts = new Float64Array(2 * positions).fill(NOWHERE);
    this.counts = new Int32Array(2 * positions);
  }

  /**
   * Fills priors and outcomes of position `index` of `batch` if its evaluation is cached, and returns whether
   * it is.
   */
  read(batch: EvaluationBatch, index: number): boolean {
    const slot = batch.keys[index]! % this.keys.length;
    const from = batch.start[index]!;
    const count = batch.start[index + 1]! - from;
    // Without slots, `slot` is NaN and finds nothing.
    const start = this.starts[slot] ?? NOWHERE;
    if (
      start === NOWHERE ||
      this.keys[slot] !== batch.keys[index] ||
      this.counts[slot] !== count ||
      this.written - start > this.numbers.length
    ) {
      this.misses += 1;
      return false;
    }
    const at = start % this.numbers.length;
    for (let i = 0; i < OUTCOME_SIZE; i++) batch.outcomes[OUTCOME_SIZE * index + i] = this.numbers[at + i]!;
    for (let i = 0; i < count; i++) batch.priors[from + i] = this.numbers[at + OUTCOME_SIZE + i]!;
    this.hits += 1;
    return true;
  }

  /** Stores the evaluation of position `index` of `batch`. */
  write(batch: EvaluationBatch, index: number): void {
    if (this.keys.length === 0) return;
    const slot = batch.keys[index]! % this.keys.length;
    const from = batch.start[index]!;
    const count = batch.start[index + 1]! - from;
    const size = OUTCOME_SIZE + count;
    const left = this.numbers.length - (this.written % this.numbers.length);
    // An entry does not wrap around the end of the ring.
    if (size > left) this.written += left;
    const at = this.written % this.numbers.length;
    this.keys[slot] = batch.keys[index]!;
    this.starts[slot] = this.written;
    this.counts[slot] = count;
    for (let i = 0; i < OUTCOME_SIZE; i++) this.numbers[at + i] = batch.outcomes[OUTCOME_SIZE * index + i]!;
    for (let i = 0; i < count; i++) this.numbers[at + OUTCOME_SIZE + i] = batch.priors[from + i]!;
    this.written += size;
  }
}
