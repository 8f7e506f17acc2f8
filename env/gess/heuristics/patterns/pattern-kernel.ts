import { PADDED_ROWS } from '../../gess-board.js';
import { KERNEL_CODE } from './kernel-code.js';
import { PART_NAMES, type PatternPart, type PatternWeights } from './pattern-weights.js';
import { OTHER_VIEW, TERNARY } from './window-codes.js';

/** The exports of the WebAssembly module: addresses of its arrays, and its functions (kernel.as). */
type KernelExports = Readonly<
  Record<PatternPart | 'boards' | 'ternary' | 'otherView', { readonly value: number }>
> & {
  readonly memory: { readonly buffer: ArrayBuffer };
  reset(): void;
  evaluate(player: number, blackRing: number, whiteRing: number): number;
};

/** The part of WebAssembly's interface that is used: the types of Node and of browsers differ. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: unknown };
  };
};

/** Base64 as bytes, in Node and in browsers. */
function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

let compiled: object | undefined;

/** Computes a pattern network for one position after another, with memory of its own: about 900 kB. */
export class PatternKernel {
  private readonly exports: KernelExports;
  /** `[2, 22]` rows of Black's stones, then of White's: the position of the next evaluation. */
  private readonly boards: Int32Array;

  constructor(weights: PatternWeights) {
    compiled ??= new WebAssembly.Module(bytesOf(KERNEL_CODE));
    this.exports = new WebAssembly.Instance(compiled).exports as KernelExports;
    const { memory, boards, ternary, otherView } = this.exports;
    const { buffer } = memory;
    new Uint16Array(buffer, ternary.value, TERNARY.length).set(TERNARY);
    new Uint16Array(buffer, otherView.value, OTHER_VIEW.length).set(OTHER_VIEW);
    for (const name of PART_NAMES) {
      const part = weights[name];
      const { value: address } = this.exports[name];
      if (part instanceof Int16Array) new Int16Array(buffer, address, part.length).set(part);
      else new Int32Array(buffer, address, part.length).set(part);
    }
    this.boards = new Int32Array(buffer, boards.value, 2 * PADDED_ROWS);
    this.exports.reset();
  }

  /**
   * The output for a position, in the view of `player`, times `OUTPUT_ONE`. It is fastest after a similar position.
   *
   * @param stones `[22]` rows of Black's stones, and of White's (gess-board.ts).
   * @param rings a ring of each player.
   */
  evaluate(stones: readonly [Int32Array, Int32Array], rings: Int32Array, player: number): number {
    this.boards.set(stones[0]);
    this.boards.set(stones[1], PADDED_ROWS);
    return this.exports.evaluate(player, rings[0]!, rings[1]!);
  }
}
