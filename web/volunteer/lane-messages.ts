import type { RemoteShardJob } from '../../training/workers/pool/wire/pool-messages.js';
import type { JobEffort } from '../../training/self-play/job-effort.js';
import type { GameStatistics } from '../../training/self-play/self-play-statistics.js';

/** A request to a lane, which answers one at a time. */
export type LaneRequest =
  | {
      readonly kind: 'fingerprint';
      readonly game: RemoteShardJob['game'];
      /** The file of a network; null: the fingerprint of the mathematical functions alone. */
      readonly model: Uint8Array | null;
    }
  | { readonly kind: 'play'; readonly job: RemoteShardJob; readonly model: Uint8Array };

/** The result of a request. */
export type LaneResult =
  | { readonly kind: 'fingerprint'; readonly fingerprint: string }
  | {
      readonly kind: 'play';
      /** The bytes of the shard. */
      readonly content: Uint8Array;
      /** Of each game, by number. */
      readonly games: readonly GameStatistics[];
      readonly effort: JobEffort;
    };

/** An answer of a lane; the first one is `ready`. */
export type LaneAnswer =
  | { readonly kind: 'ready'; readonly onnxRuntime: string }
  /** Another game has ended. */
  | { readonly kind: 'note' }
  | { readonly kind: 'result'; readonly result: LaneResult }
  | { readonly kind: 'failed'; readonly message: string };
