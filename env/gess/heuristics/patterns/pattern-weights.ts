import { SIZE } from '../../gess-board.js';
import { WINDOW_CODES } from './window-codes.js';

/**
 * The pattern network of Gess: a value from sums of vectors, one for each window of 3 x 3 squares and one for each
 * stone by its place relative to the rings. A move changes few of them, so that a search updates the sums instead of
 * computing them (Nasu 2018, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi").
 *
 * Each player has a view: its own side at row 0, its own stones first. Sums of a view: for each of 3 x 3 parts of the
 * board the vectors of the windows whose centres are there, then the vectors of all stones. Both views' sums, the
 * mover's first, limited to [0, 1], are the inputs of two dense layers, limited likewise, and of the output, whose
 * hyperbolic tangent is the value.
 */

/** Length of a window's vector. */
export const WINDOW_CHANNELS = 16;
/** Length of a stone's vector. */
export const STONE_CHANNELS = 16;
/** Parts of the board by row and by column. */
export const THIRDS = 3;
/** Offsets from a ring along one axis, -19 to 19. */
export const OFFSETS = 2 * SIZE - 1;
/** Kinds of a stone's place: relative to the own ring and to the other's, each for own and for other stones. */
const PLACE_KINDS = 4;
/** Length of the sums of one view. */
export const SUMS = THIRDS * THIRDS * WINDOW_CHANNELS + STONE_CHANNELS;
/** Where the sums over stones begin. */
export const STONE_SUMS = THIRDS * THIRDS * WINDOW_CHANNELS;
/** Units of each dense layer. */
export const HIDDEN = 32;

/** The part of the board, 0 to 2, of a row or a column. */
export function thirdOf(line: number): number {
  if (line >= 13) return 2;
  return line >= 7 ? 1 : 0;
}

/** Parts of the network in the order of the file, with their shapes; a bias follows its weights. */
export const PATTERN_PARTS = {
  windows: [WINDOW_CODES, WINDOW_CHANNELS],
  places: [PLACE_KINDS, OFFSETS, OFFSETS, STONE_CHANNELS],
  sumBias: [SUMS],
  hidden1: [HIDDEN, 2 * SUMS],
  hidden1Bias: [HIDDEN],
  hidden2: [HIDDEN, HIDDEN],
  hidden2Bias: [HIDDEN],
  output: [HIDDEN],
  outputBias: [1],
} as const satisfies Readonly<Record<string, readonly number[]>>;

/** Name of a part. */
export type PatternPart = keyof typeof PATTERN_PARTS;
/** Names of the parts, in the order of the file. */
export const PART_NAMES = Object.keys(PATTERN_PARTS) as readonly PatternPart[];

/** Number of weights of a part. */
export function partSize(name: PatternPart): number {
  return PATTERN_PARTS[name].reduce((product, length) => product * length, 1);
}

/** Quantised 1 of a sum and of an activation. */
const ACTIVATION_ONE = 1024;
/** Quantised 1 of a weight of the dense layers and of the output. */
const WEIGHT_ONE = 256;
/** Quantised 1 of the output, and of the biases of the dense layers and of the output. */
export const OUTPUT_ONE = ACTIVATION_ONE * WEIGHT_ONE;

/** Quantised 1 of each part: those of 32-bit integers are biases of products. */
export const PART_ONES: Readonly<Record<PatternPart, number>> = {
  windows: ACTIVATION_ONE,
  places: ACTIVATION_ONE,
  sumBias: ACTIVATION_ONE,
  hidden1: WEIGHT_ONE,
  hidden1Bias: OUTPUT_ONE,
  hidden2: WEIGHT_ONE,
  hidden2Bias: OUTPUT_ONE,
  output: WEIGHT_ONE,
  outputBias: OUTPUT_ONE,
};

/** Bytes of a weight of a part in the file: 2 or 4. */
function bytesOf(name: PatternPart): 2 | 4 {
  return PART_ONES[name] === OUTPUT_ONE ? 4 : 2;
}

/** A quantised network: integers, `value * PART_ONES[name]`, row-major. */
export type PatternWeights = Readonly<Record<PatternPart, Int16Array | Int32Array>>;

/** Size of the file of a network. */
export const PATTERN_BYTES = PART_NAMES.reduce((sum, name) => sum + partSize(name) * bytesOf(name), 0);

/** The bytes of a network: its parts one after another, little-endian. */
export function encodePatternWeights(weights: PatternWeights): Uint8Array {
  const bytes = new Uint8Array(PATTERN_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const name of PART_NAMES) {
    const width = bytesOf(name);
    for (const weight of weights[name]) {
      if (width === 2) view.setInt16(at, weight, true);
      else view.setInt32(at, weight, true);
      at += width;
    }
  }
  return bytes;
}

/**
 * The network of bytes that `encodePatternWeights` made. Any content is a network: weights have no invalid values.
 *
 * @throws RangeError unless there are `PATTERN_BYTES` bytes.
 */
export function decodePatternWeights(bytes: Uint8Array): PatternWeights {
  if (bytes.length !== PATTERN_BYTES) {
    throw new RangeError(`expected ${PATTERN_BYTES} bytes of a pattern network, got ${bytes.length}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const parts = PART_NAMES.map((name) => {
    const width = bytesOf(name);
    const weights = width === 2 ? new Int16Array(partSize(name)) : new Int32Array(partSize(name));
    for (let i = 0; i < weights.length; i++, at += width) {
      weights[i] = width === 2 ? view.getInt16(at, true) : view.getInt32(at, true);
    }
    return [name, weights] as const;
  });
  return Object.fromEntries(parts) as PatternWeights;
}
