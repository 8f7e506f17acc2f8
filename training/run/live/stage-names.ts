/** The stages of a generation, in order. */
export const STAGES = ['games', 'learning', 'gate', 'evaluation'] as const;

/** A stage of a generation. */
export type Stage = (typeof STAGES)[number];
