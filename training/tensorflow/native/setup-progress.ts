/** Steps of a set-up, in order; finished steps are skipped. */
export type SetupStep = 'wait' | 'download' | 'unpack' | 'compile' | 'check';

/**
 * Called at the start of each step and, if its size is known, during the step.
 *
 * @param fraction of the step that is done, in [0, 1]; null if unknown.
 */
export type SetupObserver = (step: SetupStep, fraction: number | null) => void;
