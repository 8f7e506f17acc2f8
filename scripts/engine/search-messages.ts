import type { SearchJob } from '../../agents/thinking/search-job.js';
import type { Thought } from '../../agents/thinking/thinking.js';
import type { CodedError } from '../../env/errors.js';

/** The player of a search thread: plain JSON. */
export interface SearchPlayer {
  readonly game: string;
  readonly rules: string;
  /** The agent's text. */
  readonly agent: string;
  readonly seed: number;
  /** Files of games from outside the package. */
  readonly gameModules: readonly string[];
}

/** To the search thread. After `close` it ends. */
export type SearchRequest =
  | { readonly kind: 'close' }
  | { readonly kind: 'load'; readonly player: SearchPlayer }
  | { readonly kind: 'new-game' }
  | { readonly kind: 'search'; readonly job: SearchJob };

/** From the search thread. `loaded`, `done` and `failed` each answer one request; the other requests have no answer. */
export type SearchReport =
  | { readonly kind: 'loaded'; readonly name: string }
  | { readonly kind: 'thought'; readonly thought: Thought; readonly milliseconds: number }
  | { readonly kind: 'done'; readonly thought: Thought; readonly milliseconds: number }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly exitCode: CodedError['exitCode'];
    };

/** Initial data of a search thread. */
export interface SearchThreadData {
  /** Of `SearchFlags`. */
  readonly words: Int32Array;
}
