// The kernel of the pattern evaluation, in AssemblyScript: sums of window and stone vectors that follow the board, and a
// small dense network on top. kernel-code.ts is made from it. Shapes and units: pattern-weights.ts.

const SIZE: i32 = 20;
const PADDED_ROWS: i32 = 22;
const WINDOW_CHANNELS: i32 = 16;
const STONE_CHANNELS: i32 = 16;
const SUMS: i32 = 9 * WINDOW_CHANNELS + STONE_CHANNELS;
const INPUTS: i32 = 2 * SUMS;
const HIDDEN: i32 = 32;
/** Quantised 1 of an activation, and the shift that takes a weight's factor out of a product. */
const ONE: i32 = 1024;
const WEIGHT_SHIFT: i32 = 8;

/** Bytes of two boards: 22 padded rows of bits of Black's stones, then of White's. */
const BOARDS: usize = 2 * PADDED_ROWS * 4;

/** Input: the position's boards. */
export const boards: usize = memory.data(2 * 22 * 4, 16);
/** The boards that `sums` are of. */
const last: usize = memory.data(2 * 22 * 4, 16);
/** `[512]` u16: nine bits as ternary digits. */
export const ternary: usize = memory.data(512 * 2, 16);
/** `[19683]` u16: each code as the other player sees it. */
export const otherView: usize = memory.data(19683 * 2, 16);
/** `[19683, 16]` i16. */
export const windows: usize = memory.data(19683 * 16 * 2, 16);
/** `[4, 39, 39, 16]` i16. */
export const places: usize = memory.data(4 * 39 * 39 * 16 * 2, 16);
/** `[160]` i16. */
export const sumBias: usize = memory.data(160 * 2, 16);
/** `[32, 320]` i16, `[32]` i32. */
export const hidden1: usize = memory.data(32 * 320 * 2, 16);
export const hidden1Bias: usize = memory.data(32 * 4, 16);
/** `[32, 32]` i16, `[32]` i32. */
export const hidden2: usize = memory.data(32 * 32 * 2, 16);
export const hidden2Bias: usize = memory.data(32 * 4, 16);
/** `[32]` i16, `[1]` i32. */
export const output: usize = memory.data(32 * 2, 16);
export const outputBias: usize = memory.data(4, 16);

/** `[2, 160]` i16: the sums in Black's view, then in White's. */
const sums: usize = memory.data(2 * 160 * 2, 16);
const inputs: usize = memory.data(320 * 2, 16);
const activations1: usize = memory.data(32 * 2, 16);
const activations2: usize = memory.data(32 * 2, 16);

/** Centres of the rings that `sums` are of, `row * 20 + column`; -1 before the first position. */
let blackRing: i32 = -1;
let whiteRing: i32 = -1;

/** Forgets the last position. Call it after a change of the weights. */
export function reset(): void {
  memory.fill(last, 0, BOARDS);
  memory.copy(sums, sumBias, SUMS * 2);
  memory.copy(sums + SUMS * 2, sumBias, SUMS * 2);
  blackRing = -1;
  whiteRing = -1;
}

// @ts-ignore: decorator
@inline
function row(from: usize, color: i32, index: i32): i32 {
  return load<i32>(from + ((color * PADDED_ROWS + index) << 2));
}

/** Three squares of a row around `column`, as bits. */
// @ts-ignore: decorator
@inline
function threeOf(bits: i32, column: i32): i32 {
  return ((bits << 1) >> column) & 7;
}

/** The nine squares around a centre, from the south-west on, as bits. */
// @ts-ignore: decorator
@inline
function nineOf(from: usize, color: i32, index: i32, column: i32): i32 {
  return (
    threeOf(row(from, color, index - 1), column) |
    (threeOf(row(from, color, index), column) << 3) |
    (threeOf(row(from, color, index + 1), column) << 6)
  );
}

/** The code of a window in Black's view. */
// @ts-ignore: decorator
@inline
function codeOf(from: usize, index: i32, column: i32): i32 {
  const own = <i32>load<u16>(ternary + (nineOf(from, 0, index, column) << 1));
  const other = <i32>load<u16>(ternary + (nineOf(from, 1, index, column) << 1));
  return own + 2 * other;
}

/** The third of the board, 0 to 2, with a row or a column. */
// @ts-ignore: decorator
@inline
function thirdOf(line: i32): i32 {
  return (line >= 7 ? 1 : 0) + (line >= 13 ? 1 : 0);
}

/** Adds `added` minus `removed`, both `[16]`, to a part of the sums. */
// @ts-ignore: decorator
@inline
function exchange(part: usize, added: usize, removed: usize): void {
  const first = i16x8.sub(v128.load(added), v128.load(removed));
  const second = i16x8.sub(v128.load(added, 16), v128.load(removed, 16));
  v128.store(part, i16x8.add(v128.load(part), first));
  v128.store(part, i16x8.add(v128.load(part, 16), second), 16);
}

// @ts-ignore: decorator
@inline
function windowOf(code: i32): usize {
  return windows + (<usize>code) * (WINDOW_CHANNELS * 2);
}

/** Replaces the window around a centre in both views. */
function exchangeWindow(oldCode: i32, newCode: i32, boardRow: i32, column: i32): void {
  const third = thirdOf(boardRow);
  const side = thirdOf(column);
  const black = sums + <usize>((third * 3 + side) * WINDOW_CHANNELS * 2);
  exchange(black, windowOf(newCode), windowOf(oldCode));
  const white = sums + <usize>(SUMS * 2 + ((2 - third) * 3 + side) * WINDOW_CHANNELS * 2);
  const oldOther = <i32>load<u16>(otherView + (oldCode << 1));
  const newOther = <i32>load<u16>(otherView + (newCode << 1));
  exchange(white, windowOf(newOther), windowOf(oldOther));
}

function updateWindows(): void {
  let below = 0;
  let here = 0;
  for (let index = 1; index <= SIZE; index++) {
    const next = index + 1;
    let above = (row(boards, 0, next) ^ row(last, 0, next)) | (row(boards, 1, next) ^ row(last, 1, next));
    const lines = below | here | above;
    let centres = (lines | (lines << 1) | (lines >> 1)) & 0xfffff;
    while (centres !== 0) {
      const column = ctz(centres);
      centres &= centres - 1;
      const oldCode = codeOf(last, index, column);
      const newCode = codeOf(boards, index, column);
      if (oldCode !== newCode) exchangeWindow(oldCode, newCode, index - 1, column);
    }
    below = here;
    here = above;
  }
}

/** The vector of a stone by its place relative to a ring, in a view whose ranks are multiplied by `forward`. */
// @ts-ignore: decorator
@inline
function placeOf(kind: i32, ring: i32, boardRow: i32, column: i32, forward: i32): usize {
  const ringRow = ring / SIZE;
  const rows = (boardRow - ringRow) * forward + 19;
  const columns = column - (ring - ringRow * SIZE) + 19;
  return places + <usize>(((kind * 39 + rows) * 39 + columns) * STONE_CHANNELS * 2);
}

// @ts-ignore: decorator
@inline
function addPair(part: usize, one: usize, two: usize, isAdded: bool): void {
  const first = i16x8.add(v128.load(one), v128.load(two));
  const second = i16x8.add(v128.load(one, 16), v128.load(two, 16));
  const sum0 = v128.load(part);
  const sum1 = v128.load(part, 16);
  v128.store(part, isAdded ? i16x8.add(sum0, first) : i16x8.sub(sum0, first));
  v128.store(part, isAdded ? i16x8.add(sum1, second) : i16x8.sub(sum1, second), 16);
}

/** Adds a stone to both views, or removes it. */
function changeStone(color: i32, boardRow: i32, column: i32, isAdded: bool): void {
  const black = sums + <usize>(9 * WINDOW_CHANNELS * 2);
  const white = black + <usize>(SUMS * 2);
  const ofOwn = placeOf(color, blackRing, boardRow, column, 1);
  const ofOther = placeOf(2 + color, whiteRing, boardRow, column, 1);
  addPair(black, ofOwn, ofOther, isAdded);
  const asOwn = placeOf(1 - color, whiteRing, boardRow, column, -1);
  const asOther = placeOf(3 - color, blackRing, boardRow, column, -1);
  addPair(white, asOwn, asOther, isAdded);
}

/** Adds all stones around new rings. */
function placeAllStones(): void {
  const start = 9 * WINDOW_CHANNELS * 2;
  memory.copy(sums + start, sumBias + start, STONE_CHANNELS * 2);
  memory.copy(sums + SUMS * 2 + start, sumBias + start, STONE_CHANNELS * 2);
  for (let color = 0; color < 2; color++) {
    for (let index = 2; index <= 19; index++) {
      let stones = row(boards, color, index);
      while (stones !== 0) {
        changeStone(color, index - 1, ctz(stones), true);
        stones &= stones - 1;
      }
    }
  }
}

function updateStones(): void {
  for (let color = 0; color < 2; color++) {
    for (let index = 2; index <= 19; index++) {
      const stones = row(boards, color, index);
      let changed = stones ^ row(last, color, index);
      while (changed !== 0) {
        const column = ctz(changed);
        changed &= changed - 1;
        changeStone(color, index - 1, column, ((stones >> column) & 1) === 1);
      }
    }
  }
}

/** Limits the sums of a view to 0..ONE, and writes them as inputs. */
function activate(view: i32, at: i32): void {
  const from = sums + <usize>(view * SUMS * 2);
  const to = inputs + <usize>(at * 2);
  const zero = i16x8.splat(0);
  const one = i16x8.splat(<i16>ONE);
  for (let i = 0; i < SUMS * 2; i += 16) {
    v128.store(to + i, i16x8.min_s(i16x8.max_s(v128.load(from + i), zero), one));
  }
}

// @ts-ignore: decorator
@inline
function total(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

// @ts-ignore: decorator
@inline
function limited(sum: i32): i16 {
  const value = sum >> WEIGHT_SHIFT;
  return <i16>(value < 0 ? 0 : value > ONE ? ONE : value);
}

/** A dense layer of `HIDDEN` outputs, four at a time. */
function dense(from: usize, count: i32, weights: usize, bias: usize, to: usize): void {
  const stride = <usize>(count * 2);
  for (let unit = 0; unit < HIDDEN; unit += 4) {
    const w0 = weights + <usize>unit * stride;
    const w1 = w0 + stride;
    const w2 = w1 + stride;
    const w3 = w2 + stride;
    let s0 = i32x4.splat(0);
    let s1 = i32x4.splat(0);
    let s2 = i32x4.splat(0);
    let s3 = i32x4.splat(0);
    for (let i: usize = 0; i < stride; i += 16) {
      const x = v128.load(from + i);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(x, v128.load(w0 + i)));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(x, v128.load(w1 + i)));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(x, v128.load(w2 + i)));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(x, v128.load(w3 + i)));
    }
    const b = bias + ((<usize>unit) << 2);
    const t = to + ((<usize>unit) << 1);
    store<i16>(t, limited(total(s0) + load<i32>(b)));
    store<i16>(t, limited(total(s1) + load<i32>(b, 4)), 2);
    store<i16>(t, limited(total(s2) + load<i32>(b, 8)), 4);
    store<i16>(t, limited(total(s3) + load<i32>(b, 12)), 6);
  }
}

/**
 * The output for `boards` with `player` to move, in its view, times 2^18. The rings, one of each player, are
 * `row * 20 + column`.
 */
export function evaluate(player: i32, ringOfBlack: i32, ringOfWhite: i32): i32 {
  updateWindows();
  if (ringOfBlack === blackRing && ringOfWhite === whiteRing) {
    updateStones();
  } else {
    blackRing = ringOfBlack;
    whiteRing = ringOfWhite;
    placeAllStones();
  }
  memory.copy(last, boards, BOARDS);
  activate(player, 0);
  activate(1 - player, SUMS);
  dense(inputs, INPUTS, hidden1, hidden1Bias, activations1);
  dense(activations1, HIDDEN, hidden2, hidden2Bias, activations2);
  let lanes = i32x4.splat(0);
  for (let i: usize = 0; i < <usize>(HIDDEN * 2); i += 16) {
    lanes = i32x4.add(lanes, i32x4.dot_i16x8_s(v128.load(activations2 + i), v128.load(output + i)));
  }
  return total(lanes) + load<i32>(outputBias);
}
