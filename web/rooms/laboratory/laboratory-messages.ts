import type { Action } from '../../../env/game.js';
import type { Scores } from './judge.js';
import type { LearntGeneration, Progress } from './learning-run.js';

/** From the page to its workers: one learns, the other lets generations play. */
export type LaboratoryRequest =
  | { readonly kind: 'learn'; readonly seed: number }
  | { readonly kind: 'judge'; readonly seed: number }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'add'; readonly generation: number; readonly weights: Float32Array }
  | {
      readonly kind: 'choose';
      readonly generation: number;
      readonly actions: readonly Action[];
      /** 0: none. */
      readonly simulations: number;
      readonly id: number;
    };

/** From a worker to the page. */
export type LaboratoryAnswer =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'learnt'; readonly generation: LearntGeneration }
  | { readonly kind: 'untrained'; readonly weights: Float32Array }
  | { readonly kind: 'scored'; readonly scores: Scores }
  | { readonly kind: 'chosen'; readonly action: Action; readonly id: number }
  /** The worker has failed and does nothing more. */
  | { readonly kind: 'failed'; readonly message: string };
