/**
 * Functions of `Math` whose last bits the language leaves to the engine, made of operations whose bits it prescribes:
 * the algorithms of fdlibm. Chromium 156 has another last bit than Node 20 for a tenth of the arguments of `exp`.
 *
 * @see https://www.netlib.org/fdlibm/ e_exp.c, e_log.c, e_pow.c, s_cos.c, Copyright (C) 1993 by Sun Microsystems, Inc. All rights
 *   reserved. Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 *   notice is preserved.
 */

const scratch = new DataView(new ArrayBuffer(8));

function highWord(x: number): number {
  scratch.setFloat64(0, x);
  return scratch.getInt32(0);
}

function withHigh(x: number, high: number): number {
  scratch.setFloat64(0, x);
  scratch.setInt32(0, high);
  return scratch.getFloat64(0);
}

function withoutLow(x: number): number {
  scratch.setFloat64(0, x);
  scratch.setInt32(4, 0);
  return scratch.getFloat64(0);
}

const LN2_HIGH = 6.9314718036912381649e-1;
const LN2_LOW = 1.90821492927058770002e-10;
const INVERSE_LN2 = 1.442695040888963387;
const LEAST_EXPONENT = -745.1332191019411;
const GREATEST_EXPONENT = 709.782712893384;

/** `x - x^2 * (P1 + ...)`: of exponentials. */
function expKernel(x: number): number {
  const t = x * x;
  const tail = 6.61375632143793436117e-5 + t * (-1.6533902205465251539e-6 + t * 4.13813679705723846039e-8);
  return x - t * (1.66666666666666019037e-1 + t * (-2.77777777770155933842e-3 + t * tail));
}

function exp(given: number): number {
  if (Number.isNaN(given)) return given;
  if (given > GREATEST_EXPONENT) return Infinity;
  if (given < LEAST_EXPONENT) return 0;
  if (given === 1) return Math.E;
  const size = highWord(given) & 0x7fffffff;
  let [x, high, low, k] = [given, 0, 0, 0];
  if (size > 0x3fd62e42) {
    const isNegative = given < 0;
    if (size < 0x3ff0a2b2) k = isNegative ? -1 : 1;
    else k = Math.trunc(INVERSE_LN2 * given + (isNegative ? -0.5 : 0.5));
    high = given - k * LN2_HIGH;
    low = k * LN2_LOW;
    x = high - low;
  } else if (size < 0x3e300000) return 1 + given;
  const c = expKernel(x);
  if (k === 0) return 1 - ((x * c) / (c - 2) - x);
  const y = 1 - (low - (x * c) / (2 - c) - high);
  if (k === 1024) return y * 2 * 2 ** 1023;
  if (k >= -1021) return y * withHigh(0, 0x3ff00000 + (k << 20));
  return y * withHigh(0, 0x3ff00000 + ((k + 1000) << 20)) * 2 ** -1000;
}

function log(given: number): number {
  if (!(given > 0) || given === Infinity) return given === 0 ? -Infinity : given > 0 ? given : NaN;
  const isTiny = given < 2 ** -1022;
  const scaled = isTiny ? given * 2 ** 54 : given;
  const high = highWord(scaled);
  const hx = high & 0xfffff;
  const i = (hx + 0x95f64) & 0x100000;
  const k = (isTiny ? -54 : 0) + (high >> 20) - 1023 + (i >> 20);
  const f = withHigh(scaled, hx | (i ^ 0x3ff00000)) - 1;
  if ((0xfffff & (2 + hx)) < 3) {
    if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW;
    const r = f * f * (0.5 - 0.3333333333333333 * f);
    return k === 0 ? f - r : k * LN2_HIGH - (r - k * LN2_LOW - f);
  }
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const odd = 3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1);
  const last = 1.818357216161805012e-1 + w * 1.479819860511658591e-1;
  const even = 6.66666666666673513e-1 + w * (2.857142874366239149e-1 + w * last);
  const r = z * even + w * odd;
  if (((hx - 0x6147a) | (0x6b851 - hx)) > 0) {
    const half = 0.5 * f * f;
    if (k === 0) return f - (half - s * (half + r));
    return k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f);
  }
  return k === 0 ? f - s * (f - r) : k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f);
}

/** The logarithm of `x` > 0 to base 2, as the sum of two numbers, of which the first has no low word. */
function log2Parts(x: number): readonly [number, number] {
  const isTiny = x < 2 ** -1022;
  const scaled = isTiny ? x * 2 ** 53 : x;
  const high = highWord(scaled);
  const j = high & 0xfffff;
  let n = (isTiny ? -53 : 0) + (high >> 20) - 0x3ff;
  let word = j | 0x3ff00000;
  let k = 0;
  if (j > 0x3988e && j < 0xbb67a) k = 1;
  else if (j >= 0xbb67a) {
    n += 1;
    word -= 0x100000;
  }
  const ax = withHigh(scaled, word);
  const bp = k === 0 ? 1 : 1.5;
  const [dpHigh, dpLow] = k === 0 ? [0, 0] : [5.84962487220764160156e-1, 1.35003920212974897128e-8];
  const u = ax - bp;
  const v = 1 / (ax + bp);
  const ss = u * v;
  const sHigh = withoutLow(ss);
  const tHigh = withHigh(0, ((word >> 1) | 0x20000000) + 0x80000 + (k << 18));
  const tLow = ax - (tHigh - bp);
  const sLow = v * (u - sHigh * tHigh - sHigh * tLow);
  const s2 = ss * ss;
  const tail = 2.72728123808534006489e-1 + s2 * (2.30660745775561754067e-1 + s2 * 2.06975017800338417784e-1);
  const head = 4.28571428578550184252e-1 + s2 * (3.33333329818377432918e-1 + s2 * tail);
  const r = s2 * s2 * (5.99999999999994648725e-1 + s2 * head) + sLow * (sHigh + ss);
  const square = sHigh * sHigh;
  const sumHigh = withoutLow(3 + square + r);
  const sumLow = r - (sumHigh - 3 - square);
  const first = sHigh * sumHigh;
  const second = sLow * sumHigh + sumLow * ss;
  const pHigh = withoutLow(first + second);
  const pLow = second - (pHigh - first);
  const zHigh = 9.61796700954437255859e-1 * pHigh;
  const zLow = -7.02846165095275826516e-9 * pHigh + pLow * 9.61796693925975554329e-1 + dpLow;
  const t1 = withoutLow(zHigh + zLow + dpHigh + n);
  return [t1, zLow - (t1 - n - dpHigh - zHigh)];
}

/** 2 to the power of a sum of two numbers. */
function exp2OfSum(pHigh: number, pLow: number): number {
  const z = pLow + pHigh;
  if (z >= 1024 && (z > 1024 || pLow + 8.008566259537294e-17 > z - pHigh)) return Infinity;
  if (z <= -1075 && (z < -1075 || pLow <= z - pHigh)) return 0;
  const j = highWord(z);
  const size = j & 0x7fffffff;
  let n = 0;
  let rest = pHigh;
  if (size > 0x3fe00000) {
    const rounded = j + (0x100000 >> ((size >> 20) - 0x3ff + 1));
    const k = ((rounded & 0x7fffffff) >> 20) - 0x3ff;
    n = ((rounded & 0xfffff) | 0x100000) >> (20 - k);
    if (j < 0) n = -n;
    rest -= withHigh(0, rounded & ~(0xfffff >> k));
  }
  const t = withoutLow(pLow + rest);
  const u = t * 6.93147182464599609375e-1;
  const v = (pLow - (t - rest)) * 6.93147180559945286227e-1 + t * -1.90465429995776804525e-9;
  const y = u + v;
  const w = v - (y - u);
  const t1 = expKernel(y);
  const result = 1 - ((y * t1) / (t1 - 2) - (w + y * w) - y);
  const word = highWord(result) + (n << 20);
  if (word >> 20 > 0) return withHigh(result, word);
  return withHigh(result, highWord(result) + ((n + 54) << 20)) * 2 ** -54;
}

/** Greater powers, of temperatures below 5e-10, are left to the engine. */
const GREATEST_POWER = 2 ** 31;

/** Powers of `x` > 0 that other operations have exactly. */
function exactPower(x: number, y: number): number | null {
  if (x === 1) return 1;
  switch (y) {
    case 1:
      return x;
    case -1:
      return 1 / x;
    case 2:
      return x * x;
    case 0.5:
      return Math.sqrt(x);
    default:
      return null;
  }
}

function pow(x: number, y: number): number {
  // The language prescribes these.
  if (y === 0 || x === 0 || !Number.isFinite(x) || !(Math.abs(y) <= GREATEST_POWER)) return enginePow(x, y);
  if (x < 0) return Number.isInteger(y) ? pow(-x, y) * (y % 2 === 0 ? 1 : -1) : NaN;
  const exact = exactPower(x, y);
  if (exact !== null) return exact;
  const [t1, t2] = log2Parts(x);
  const y1 = withoutLow(y);
  return exp2OfSum(y1 * t1, (y - y1) * t1 + y * t2);
}

function cosKernel(x: number, y: number): number {
  const size = highWord(x) & 0x7fffffff;
  if (size < 0x3e400000) return 1;
  const z = x * x;
  const last = 2.0875723212981748279e-9 + z * -1.13596475577881948265e-11;
  const tail = 2.48015872894767294178e-5 + z * (-2.75573143513906633035e-7 + z * last);
  const r = z * (4.16666666666666019037e-2 + z * (-1.38888888888741095749e-3 + z * tail));
  if (size < 0x3fd33333) return 1 - (0.5 * z - (z * r - x * y));
  const qx = size > 0x3fe90000 ? 0.28125 : withHigh(0, size - 0x200000);
  return 1 - qx - (0.5 * z - qx - (z * r - x * y));
}

function sinKernel(x: number, y: number): number {
  const z = x * x;
  const v = z * x;
  const tail = 2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10);
  const r = 8.33333333332248946124e-3 + z * (-1.98412698298579493134e-4 + z * tail);
  return x - (z * (0.5 * y - v * r) - y - v * -1.66666666666666324348e-1);
}

/** High words of the multiples of pi / 2 from 1 to 4: near them, more digits of pi are needed. */
const MULTIPLES = [0x3ff921fb, 0x400921fb, 0x4012d97c, 0x401921fb];

/** `x` less `n` times pi / 2, as the sum of two numbers. */
function lessQuarters(x: number, n: number): readonly [number, number] {
  const size = highWord(x);
  let r = x - n * 1.57079632673412561417;
  let w = n * 6.07710050650619224932e-11;
  let y = r - w;
  if (size === MULTIPLES[n - 1] && (size >> 20) - ((highWord(y) >> 20) & 0x7ff) > 16) {
    const t = r;
    w = n * 6.0771005063039659766e-11;
    r = t - w;
    w = n * 2.02226624879595063154e-21 - (t - r - w);
    y = r - w;
  }
  return [y, r - y - w];
}

/** For arguments of less than a turn; others are left to the engine. */
function cos(x: number): number {
  if (!(x >= 0 && x < 2 * Math.PI)) return engineCos(x);
  if (highWord(x) <= 0x3fe921fb) return cosKernel(x, 0);
  const n = Math.trunc(x * 6.36619772367581382433e-1 + 0.5);
  const [high, low] = lessQuarters(x, n);
  switch (n & 3) {
    case 0:
      return cosKernel(high, low);
    case 1:
      return -sinKernel(high, low);
    case 2:
      return -cosKernel(high, low);
    default:
      return sinKernel(high, low);
  }
}

const { pow: enginePow, cos: engineCos } = Math;

/** The functions of `Math` that games of a network use, with the same bits in every engine. */
export const PORTABLE_MATH = { exp, log, pow, cos } as const;

/**
 * Puts the portable functions in the place of the engine's, for everything that this process or worker does.
 *
 * @returns puts the engine's back.
 */
export function usePortableMath(): () => void {
  const { exp, log, pow, cos } = Math;
  const engine = { exp, log, pow, cos };
  Object.assign(Math, PORTABLE_MATH);
  return () => {
    Object.assign(Math, engine);
  };
}
