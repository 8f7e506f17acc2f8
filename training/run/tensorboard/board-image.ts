import { crc32 } from 'node:zlib';
import type { DrawnSquare } from '../../../env/diagrams/board-drawing.js';
import type { Game } from '../../../env/game.js';

/** Pixels of a square. */
const SQUARE = 12;
/** Radius of a piece. */
const RADIUS = 5;
/** Most bytes of a block without compression. */
const MAX_BLOCK = 0xffff;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const ADLER_MODULUS = 65_521;

/** A PNG file and its size in pixels. */
export interface BoardImage {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(data.length + 12);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(name, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % ADLER_MODULUS;
    b = (b + a) % ADLER_MODULUS;
  }
  return b * 0x1_0000 + a;
}

/** A zlib stream without compression, whose bytes are the same in every version of Node (RFC 1950, RFC 1951 3.2.4). */
function store(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let at = 0; at < bytes.length; at += MAX_BLOCK) {
    const block = bytes.subarray(at, at + MAX_BLOCK);
    const head = Buffer.alloc(5);
    head[0] = at + MAX_BLOCK >= bytes.length ? 1 : 0;
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(block.length ^ 0xffff, 3);
    parts.push(head, block);
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(adler32(bytes));
  return Buffer.concat([...parts, checksum]);
}

/** Colours of an image, by number. */
class Palette {
  readonly colors: string[] = [];

  numberOf(color: string): number {
    const found = this.colors.indexOf(color);
    return found < 0 ? this.colors.push(color) - 1 : found;
  }

  get bytes(): Uint8Array {
    return Buffer.from(this.colors.map((color) => color.slice(1)).join(''), 'hex');
  }
}

/** The colour of a pixel of a square: the piece's inside a disc, else the square's. */
function colorAt(
  { piece, fill }: DrawnSquare,
  [x, y]: readonly [number, number],
  fills: readonly string[],
): string {
  const [dx, dy] = [x - SQUARE / 2 + 0.5, y - SQUARE / 2 + 0.5];
  return piece !== undefined && dx * dx + dy * dy <= RADIUS * RADIUS ? fills[piece.player]! : fill;
}

/**
 * Draws a position as a PNG file with a palette (ISO/IEC 15948); null for games without a drawing. Equal positions give
 * equal bytes.
 */
export function boardImage(game: Game<unknown>, state: unknown): BoardImage | null {
  const drawing = game.draw?.(state);
  if (drawing === undefined) return null;
  const { rows, pieceFills } = drawing;
  const [width, height] = [rows[0]!.length * SQUARE, rows.length * SQUARE];
  const palette = new Palette();
  // Each line begins with its filter type; 0 is none.
  const pixels = new Uint8Array(height * (width + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const square = rows[Math.floor(y / SQUARE)]![Math.floor(x / SQUARE)]!;
      const color = colorAt(square, [x % SQUARE, y % SQUARE], pieceFills);
      pixels[y * (width + 1) + 1 + x] = palette.numberOf(color);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per pixel, a palette, no interlacing.
  header.set([8, 3, 0, 0, 0], 8);
  const chunks = [
    chunk('IHDR', header),
    chunk('PLTE', palette.bytes),
    chunk('IDAT', store(pixels)),
    chunk('IEND', new Uint8Array()),
  ];
  return { png: Buffer.concat([SIGNATURE, ...chunks]), width, height };
}
