/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A render mode of an environment: `ansi` returns text, `svg` an SVG document, `human` writes to the terminal. */
export type RenderMode = 'ansi' | 'human' | 'svg';

/** The name and options of a wrapper. */
export interface WrapperSpec {
  readonly name: string;
  readonly options: Readonly<Record<string, Json>>;
  /**
   * Present if the wrapper's options hold something that JSON cannot, such as a function.
   *
   * @throws EnvError `wrapper-function`.
   */
  readonly toJSON?: () => never;
}

/** The definition of an environment, plain JSON, from which `make` makes an equal one. Like Gymnasium's `EnvSpec`. */
export interface EnvSpec {
  /** `gess/Gess-v0`. */
  readonly id: string;
  /** The kwargs of `make`: `{ rules: 'gach', plyLimit: 200 }`. */
  readonly kwargs: Readonly<Record<string, Json>>;
  readonly renderMode: RenderMode | null;
  /** The innermost first. */
  readonly wrappers: readonly WrapperSpec[];
  /** SHA-256, hexadecimal, of game, rules, versions, action and observation spaces: equal rules, equal digest. */
  readonly rulesDigest: string;
}
