import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import { SpaceError, type SpaceErrorCode } from './errors.js';

/** A stream of random numbers whose state can be stored and restored. */
export interface Rng {
  /**
   * Uniform in `[0, bound)`.
   *
   * @param bound an integer in 1 … 2^31.
   * @throws SpaceError `random-bound` for another bound.
   */
  integer(bound: number): number;
  /** Uniform in `[0, 1)`, 53 bits. */
  float(): number;
  /** Four 32-bit words; `restoreRng` continues from them. */
  state(): readonly number[];
}

const MAX_BOUND = 2 ** 31;

type Generator = ReturnType<typeof xoroshiro128plusFromState>;

class XoroshiroRng implements Rng {
  private readonly generator: Generator;

  constructor(generator: Generator) {
    this.generator = generator;
  }

  integer(bound: number): number {
    // With a bound that is not a number, `uniformInt` would draw for ever.
    if (!(Number.isInteger(bound) && bound >= 1 && bound <= MAX_BOUND))
      refuse('random-bound', 'a bound 1 to 2^31', bound);
    return uniformInt(this.generator, 0, bound - 1);
  }

  float(): number {
    return uniformFloat64(this.generator);
  }

  state(): readonly number[] {
    return this.generator.getState();
  }
}

/** Names the type of what is no number: `String` fails for some objects. */
function refuse(code: SpaceErrorCode, expected: string, found: unknown): never {
  throw new SpaceError(code, `expected ${expected}, got ${typeof found === 'number' ? found : typeof found}`);
}

/** MurmurHash3's 32-bit finaliser (Appleby 2011): every bit of `word` reaches every bit of the result. */
export function mixBits(word: number): number {
  let hash = word;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** Joins two words of 32 bits to an integer of 53 bits. */
export function joinHash(low: number, high: number): number {
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/**
 * Creates the stream of `seed` for a path: `createRng(seed, 'selfPlay', game)` is independent of the stream
 * of any other path, so the draws of one part of a program never change those of another.
 *
 * @param seed an integer in `[0, 2^53)`.
 * @param path names and non-negative integers.
 * @throws SpaceError `random-state` for another seed.
 */
export function createRng(seed: number, ...path: readonly (string | number)[]): Rng {
  if (!Number.isSafeInteger(seed) || seed < 0) refuse('random-state', 'a seed of 0 to 2^53 - 1', seed);
  const words = [seed | 0, Math.floor(seed / 2 ** 32) | 0];
  // JSON keeps the type of each part of the path, so that 1 and '1' differ.
  for (const character of JSON.stringify(path)) words.push(character.codePointAt(0)!);
  const state = [1, 2, 3, 4].map((lane) => {
    let hash = Math.imul(lane, 0x9e3779b9);
    for (const word of words) hash = mixBits(Math.imul(hash, 5) + word);
    return hash;
  });
  return new XoroshiroRng(xoroshiro128plusFromState(state));
}

/** A stream that continues from `state`, which `Rng.state` returned. */
export function restoreRng(state: readonly number[]): Rng {
  return new XoroshiroRng(xoroshiro128plusFromState(state));
}
