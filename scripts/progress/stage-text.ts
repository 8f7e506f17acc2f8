import type { Stage } from '../../training/run/live/stage-names.js';

/** Stages for people. */
export const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  games: 'self-play',
  learning: 'learning',
  gate: 'gate',
  evaluation: 'matches',
};

/** What a stage counts. */
export const STAGE_UNITS: Readonly<Record<Stage, string>> = {
  games: 'games',
  learning: 'steps',
  gate: 'games',
  evaluation: 'games',
};
