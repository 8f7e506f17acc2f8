import type { Action } from '../../game.js';
import { createRng, type Rng } from '../../random.js';
import { firstDifference } from './difference.js';
import type { FindingCode } from './codes.js';
import { describeError, type FindingList, type Place } from './finding.js';
import { isOver, visibleCopy, type Subject } from './subject.js';

/** Options for checking an environment. */
export interface EnvCheckOptions {
  /** Episodes of each check. Defaults to 3. */
  readonly episodes?: number | undefined;
  /** Maximum number of steps of an episode. Defaults to 100. */
  readonly steps?: number | undefined;
  /** An integer in `[0, 2^53)`. Defaults to 1. */
  readonly seed?: number | undefined;
  /**
   * Whether returned arrays belong to the caller; if not, they may change with the next step. Defaults to true.
   */
  readonly copy?: boolean | undefined;
  /** Whether illegal actions must throw; false for a policy that accepts them. Defaults to true. */
  readonly refusesIllegal?: boolean | undefined;
  /** Whether `reset` takes positions, and so must refuse invalid ones. Defaults to true. */
  readonly takesPositions?: boolean | undefined;
  /** Whether episodes depend on the seed. Defaults to false. */
  readonly isStochastic?: boolean | undefined;
  /** A clock in milliseconds, to measure steps per second: `() => performance.now()`. */
  readonly now?: (() => number) | undefined;
}

/** The context of an environment's checks. */
export interface EnvRun {
  /** Makes a new environment; all are equal. */
  readonly create: () => Subject;
  readonly list: FindingList;
  readonly episodes: number;
  readonly steps: number;
  readonly seed: number;
  readonly options: EnvCheckOptions;
}

/** Creates the context of an environment's checks, with defaults. */
export function createEnvRun(create: () => Subject, options: EnvCheckOptions, list: FindingList): EnvRun {
  const { episodes = 3, steps = 100, seed = 1 } = options;
  return { create, list, episodes, steps, seed, options };
}

/** The stream that chooses actions in an episode. */
function createPicker(run: EnvRun, episode: number): Rng {
  return createRng(run.seed, 'conformance', 'actions', episode);
}

/** A legal action of the next agent, or null to leave; undefined if there is none. */
export function pickAction(subject: Subject, rng: Rng): Action | null | undefined {
  const view = subject.view();
  if (isOver(view)) return null;
  const { legalActions } = view.info;
  return legalActions.length === 0 ? undefined : legalActions[rng.integer(legalActions.length)];
}

/** Steps the environment; ends the check if a legal action is refused. */
export function act(
  subject: Subject,
  action: Action | null,
  { list, place }: { list: FindingList; place: Place },
): void {
  try {
    subject.step(action);
  } catch (error) {
    const code: FindingCode = action === null ? 'threw' : 'legal-refused';
    const what = action === null ? 'leaving' : `action ${action}`;
    list.end(code, `expected ${what} to be accepted, got ${describeError(error)}`, place);
  }
}

/** The error of a call; null if it did not throw. */
export function refusalOf(call: () => void): { readonly error: unknown } | null {
  try {
    call();
    return null;
  } catch (error) {
    return { error };
  }
}

/** Plays random episodes, the first one seeded; calls `visit` before each step and at the end. */
export function playEpisodes(run: EnvRun, subject: Subject, visit: (place: Place) => void): void {
  for (let episode = 0; episode < run.episodes; episode++) {
    subject.reset(episode === 0 ? { seed: run.seed } : {});
    playOn(run, subject, { episode, visit });
  }
}

/** The rest of an episode, and a callback for its steps. */
interface Course {
  readonly episode: number;
  readonly visit: (place: Place) => void;
  /** Maximum number of steps. Defaults to that of the run. */
  readonly steps?: number;
}

/**
 * Continues at random until the step limit or the end of the episode; calls `visit` before each step and at
 * the end.
 */
export function playOn(run: EnvRun, subject: Subject, { episode, visit, steps = run.steps }: Course): void {
  const rng = createPicker(run, episode);
  for (let step = 0; ; step++) {
    const place = { episode, step };
    visit(place);
    if (step >= steps || subject.needsReset()) return;
    const action = pickAction(subject, rng);
    if (action === undefined) return;
    act(subject, action, { list: run.list, place });
  }
}

/** Two environments that should be equal, and a disturbance of the first. */
export interface Twins {
  readonly found: Subject;
  readonly expected: Subject;
  /** The code of a difference. */
  readonly code: FindingCode;
  /** Applied only to `found`, before each step; must change nothing. */
  readonly disturb?: (subject: Subject, place: Place) => void;
}

/** Ends the check unless both show the same. */
export function expectAlike(run: EnvRun, { found, expected, code }: Twins, place: Place): void {
  run.list.expectSame(code, firstDifference(visibleCopy(found), visibleCopy(expected)), place);
}

/** Plays the same episodes in both, the first one seeded, and compares everything visible at each step. */
export function playTwins(run: EnvRun, twins: Twins): void {
  for (let episode = 0; episode < run.episodes; episode++) {
    const options = episode === 0 ? { seed: run.seed } : {};
    twins.expected.reset(options);
    twins.found.reset(options);
    playTwinsOn(run, twins, episode);
  }
}

/** As `playTwins`, for the rest of the current episode of both. */
export function playTwinsOn(run: EnvRun, twins: Twins, episode: number): void {
  const { found, expected, disturb } = twins;
  const rng = createPicker(run, episode);
  for (let step = 0; ; step++) {
    const place = { episode, step };
    expectAlike(run, twins, place);
    if (disturb !== undefined) {
      disturb(found, place);
      expectAlike(run, twins, place);
    }
    if (step >= run.steps || expected.needsReset()) return;
    const action = pickAction(expected, rng);
    if (action === undefined) return;
    act(expected, action, { list: run.list, place });
    act(found, action, { list: run.list, place });
  }
}
