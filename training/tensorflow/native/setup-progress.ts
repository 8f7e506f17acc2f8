/** What a set-up is doing, in its order; steps that are done already are left out. */
export type SetupStep = 'wait' | 'download' | 'unpack' | 'compile' | 'check';

/**
 * Told at the start of each step and, where its size is known, while it goes on.
 *
 * @param fraction of the step that is done, 0..1; null where it is not known.
 */
export type SetupObserver = (step: SetupStep, fraction: number | null) => void;
