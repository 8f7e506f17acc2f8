import type { RenderMode } from './environment.js';

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A wrapper of an environment by its name, and what it was given. */
export interface WrapperSpec {
  readonly name: string;
  readonly options: Readonly<Record<string, Json>>;
  /**
   * There where the wrapper was given what JSON cannot hold, such as a function; throws EnvError
   * `wrapper-function`.
   */
  readonly toJSON?: () => never;
}

/** What `make` needs to make an environment again: plain JSON. As Gymnasium's `EnvSpec`. */
export interface EnvSpec {
  /** `gess/Gess-v0`. */
  readonly id: string;
  /** What the maker was given besides the id: `{ rules: 'gach', plyLimit: 200 }`. */
  readonly kwargs: Readonly<Record<string, Json>>;
  readonly renderMode: RenderMode | null;
  /** The innermost first. */
  readonly wrappers: readonly WrapperSpec[];
  /** SHA-256, hexadecimal, of game, rules, versions, action and observation spaces: equal rules, equal digest. */
  readonly rulesDigest: string;
}
