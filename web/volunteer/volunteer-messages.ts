/** A request of the page to its worker for the pool. */
export type VolunteerRequest =
  | {
      readonly kind: 'start';
      /** The content of a file with credentials; null: the server lets everyone in. */
      readonly ticket: string | null;
      /** `ws://` or `wss://`, for a server that lets everyone in. */
      readonly url: string;
      /** Jobs at a time. */
      readonly lanes: number;
    }
  /** Ends it after the games in progress. */
  | { readonly kind: 'stop' };

/** An answer to the page. */
export type VolunteerAnswer =
  | { readonly kind: 'said'; readonly text: string }
  /** Games that have ended, and shards that the server has got. */
  | { readonly kind: 'played'; readonly games: number; readonly shards: number }
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string };
