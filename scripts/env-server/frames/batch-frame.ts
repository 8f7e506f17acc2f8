import { endianness } from 'node:os';
import { ANSWER_KIND, createFrame, HEADER_BYTES } from './frame-format.js';

/** The type of planes in a frame: `float32` values, or `round(255 * value)` as `uint8`. */
export type PlanesType = 'float32' | 'uint8';

/** Flags of an environment in a batch. */
export const FLAG = { terminated: 1, truncated: 2, final: 4 } as const;

/** The state of `count` environments after a request. `P` is the number of values in the planes of one environment. */
export interface Batch {
  readonly count: number;
  /** `[count]` */
  readonly rewards: ArrayLike<number>;
  /** `[count]` */
  readonly plies: ArrayLike<number>;
  /** `[count]` sums of `FLAG`. */
  readonly flags: ArrayLike<number>;
  /** `[count]` the player whose view the planes show, 0 or 1. */
  readonly players: ArrayLike<number>;
  /** `[count]` legal actions of that player, ascending. */
  readonly legalActions: readonly Int32Array[];
  /** `[count, P]` */
  readonly planes: Float32Array;
  /** Ply and planes at the end of the episode of each environment with `FLAG.final`, in order. */
  readonly finals: readonly { readonly ply: number; readonly planes: Float32Array }[];
}

const LITTLE_ENDIAN = endianness() === 'LE';
/** Bytes before the arrays: environment, count, legal actions of all, finals. */
const COUNTS_BYTES = 16;

/** Writes numbers one after the other. */
class FrameWriter {
  private readonly bytes: Buffer;
  private at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  u32(values: ArrayLike<number>): void {
    // eslint-disable-next-line @typescript-eslint/prefer-for-of -- an array-like has no iterator.
    for (let i = 0; i < values.length; i++) this.at = this.bytes.writeUInt32LE(values[i]!, this.at);
  }

  u8(values: ArrayLike<number>): void {
    this.bytes.set(values, this.at);
    this.at += values.length;
  }

  f32(values: ArrayLike<number>): void {
    // eslint-disable-next-line @typescript-eslint/prefer-for-of -- an array-like has no iterator.
    for (let i = 0; i < values.length; i++) this.at = this.bytes.writeFloatLE(values[i]!, this.at);
  }

  /** Writes an array of four-byte numbers in one copy. */
  words(values: Float32Array | Int32Array): void {
    const end = this.at + values.byteLength;
    this.bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), this.at);
    if (!LITTLE_ENDIAN) this.bytes.subarray(this.at, end).swap32();
    this.at = end;
  }

  planes(values: Float32Array, type: PlanesType): void {
    if (type === 'float32') {
      this.words(values);
      return;
    }
    const { bytes, at } = this;
    const count = values.length;
    for (let i = 0; i < count; i++) bytes[at + i] = 255 * values[i]! + 0.5;
    this.at += count;
  }
}

/**
 * The frame of a batch (docs/reference/envs/protocol.md has the table).
 *
 * @param env the number of the environment.
 */
export function batchFrame(
  batch: Batch,
  { id, env, type }: { readonly id: number; readonly env: number; readonly type: PlanesType },
): Buffer {
  const { count, legalActions, finals, planes } = batch;
  const legal = legalActions.reduce((sum, list) => sum + list.length, 0);
  const planesBytes = (planes.length / count) * (type === 'float32' ? 4 : 1);
  const length =
    COUNTS_BYTES + 14 * count + 4 * legal + 4 * finals.length + planesBytes * (count + finals.length);
  const frame = createFrame(ANSWER_KIND.batch, id, length);
  const writer = new FrameWriter(frame, HEADER_BYTES);
  writer.u32([env, count, legal, finals.length]);
  writer.f32(batch.rewards);
  writer.u32(batch.plies);
  for (const list of legalActions) writer.u32([list.length]);
  for (const list of legalActions) writer.words(list);
  for (const { ply } of finals) writer.u32([ply]);
  writer.planes(planes, type);
  for (const final of finals) writer.planes(final.planes, type);
  writer.u8(batch.flags);
  writer.u8(batch.players);
  return frame;
}
