import type { Action } from '../../game.js';
import { createRng, type Rng } from '../../random.js';
import { firstDifference } from './difference.js';
import type { FindingCode } from './codes.js';
import { describeError, type FindingList, type Place } from './finding.js';
import { isOver, look, type Subject } from './subject.js';

/** How an environment is checked. */
export interface EnvCheckOptions {
  /** Episodes of each check. Default 3. */
  readonly episodes?: number | undefined;
  /** Steps of each episode at most. Default 100. */
  readonly steps?: number | undefined;
  /** An integer in `[0, 2^53)`. Default 1. */
  readonly seed?: number | undefined;
  /** Whether returned arrays are the caller's; if not, they may change with the next step. Default true. */
  readonly copy?: boolean | undefined;
  /** Whether illegal actions are refused by an error; not so under a policy that takes them. Default true. */
  readonly refusesIllegal?: boolean | undefined;
  /** Whether `reset` takes positions, and so refuses a text that is none. Default true. */
  readonly takesPositions?: boolean | undefined;
  /** Whether there is chance that a seed decides. Default false. */
  readonly isStochastic?: boolean | undefined;
  /** Time in milliseconds from any start, to measure steps per second: `() => performance.now()`. */
  readonly now?: (() => number) | undefined;
}

/** What the checks of an environment work with. */
export interface EnvRun {
  /** A new environment, equal to all others made so. */
  readonly create: () => Subject;
  readonly list: FindingList;
  readonly episodes: number;
  readonly steps: number;
  readonly seed: number;
  readonly options: EnvCheckOptions;
}

/** The defaults of an environment's checks. */
export function createEnvRun(create: () => Subject, options: EnvCheckOptions, list: FindingList): EnvRun {
  const { episodes = 3, steps = 100, seed = 1 } = options;
  return { create, list, episodes, steps, seed, options };
}

/** The stream that chooses actions in an episode. */
export function createPicker(run: EnvRun, episode: number): Rng {
  return createRng(run.seed, 'conformance', 'actions', episode);
}

/** A legal action of whoever acts next, or null to leave; undefined where there is none to play. */
export function pickAction(subject: Subject, rng: Rng): Action | null | undefined {
  const told = subject.told();
  if (isOver(told)) return null;
  const { legalActions } = told.info;
  return legalActions.length === 0 ? undefined : legalActions[rng.integer(legalActions.length)];
}

/** Steps; a legal action that is refused ends the check. */
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

/** What a call threw; null when it threw nothing. */
export function refusalOf(call: () => void): { readonly error: unknown } | null {
  try {
    call();
    return null;
  } catch (error) {
    return { error };
  }
}

/** Plays random episodes, the first one seeded; `visit` comes before each step, and at the end. */
export function playEpisodes(run: EnvRun, subject: Subject, visit: (place: Place) => void): void {
  for (let episode = 0; episode < run.episodes; episode++) {
    subject.reset(episode === 0 ? { seed: run.seed } : {});
    playOn(run, subject, { episode, visit });
  }
}

/** Where an episode goes on, and what is done before each step. */
interface Course {
  readonly episode: number;
  readonly visit: (place: Place) => void;
  /** Steps at most; by default those of the run. */
  readonly steps?: number;
}

/** Plays on at random until the steps or the episode end; `visit` comes before each step, and at the end. */
export function playOn(run: EnvRun, subject: Subject, { episode, visit, steps = run.steps }: Course): void {
  const rng = createPicker(run, episode);
  for (let step = 0; ; step++) {
    const place = { episode, step };
    visit(place);
    if (step >= steps || subject.isOut()) return;
    const action = pickAction(subject, rng);
    if (action === undefined) return;
    act(subject, action, { list: run.list, place });
  }
}

/** Two environments that should be alike, and what is done to the first at each step. */
export interface Twins {
  readonly found: Subject;
  readonly expected: Subject;
  /** What a difference is found as. */
  readonly code: FindingCode;
  /** Done to `found` alone before each step, and should change nothing. */
  readonly disturb?: (subject: Subject, place: Place) => void;
}

/** Ends the check unless both look the same. */
export function expectAlike(run: EnvRun, { found, expected, code }: Twins, place: Place): void {
  run.list.expectSame(code, firstDifference(look(found), look(expected)), place);
}

/** Plays the same episodes in both, the first one seeded, and compares all that can be seen at each step. */
export function playTwins(run: EnvRun, twins: Twins): void {
  for (let episode = 0; episode < run.episodes; episode++) {
    const options = episode === 0 ? { seed: run.seed } : {};
    twins.expected.reset(options);
    twins.found.reset(options);
    playTwinsOn(run, twins, episode);
  }
}

/** As `playTwins`, for the rest of an episode that both are in. */
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
    if (step >= run.steps || expected.isOut()) return;
    const action = pickAction(expected, rng);
    if (action === undefined) return;
    act(expected, action, { list: run.list, place });
    act(found, action, { list: run.list, place });
  }
}
