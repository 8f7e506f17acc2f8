import type { Stage } from '../../training/run/live/stage-names.js';

/** Names of the stages as people read them. */
export const STAGE_NAMES: Readonly<Record<Stage, string>> = {
  games: 'self-play',
  learning: 'learning',
  gate: 'gate',
  evaluation: 'matches',
};

/** The things that a stage counts. */
export const STAGE_UNITS: Readonly<Record<Stage, string>> = {
  games: 'games',
  learning: 'steps',
  gate: 'games',
  evaluation: 'games',
};
