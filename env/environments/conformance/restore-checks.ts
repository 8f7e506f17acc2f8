import { createRng } from '../../random.js';
import type { EnvState } from '../environment.js';
import { firstDifference } from './difference.js';
import {
  act,
  type EnvRun,
  expectAlike,
  pickAction,
  playOn,
  playTwins,
  playTwinsOn,
  refusalOf,
} from './env-run.js';
import { describeError, type Place } from './finding.js';
import { visibleCopy, type Subject } from './subject.js';

/** Checks that the result of `save` is JSON and that saving changes nothing. */
export function checkSaving(run: EnvRun): void {
  const { create, list } = run;
  playTwins(run, {
    found: create(),
    expected: create(),
    code: 'save-changes',
    disturb: (subject, place) => {
      const saved: unknown = subject.env.save();
      const json: unknown = JSON.parse(JSON.stringify(saved));
      const difference = firstDifference(saved, json);
      list.expectSame('save-not-json', difference === null ? null : `as JSON, ${difference}`, place);
      const version: unknown = (json as EnvState).version;
      if (version !== 1) list.end('save-not-json', `expected version 1, got ${String(version)}`, place);
    },
  });
}

/**
 * Checks that a state restored in a new and in a used environment shows what was saved and continues equally.
 */
export function checkRestoring(run: EnvRun): void {
  const { create, seed } = run;
  let last = 0;
  const guide = create();
  guide.reset({ seed });
  playOn(run, guide, { episode: 0, visit: ({ step }) => (last = step!) });
  // At the last step all agents have left; one step before, some have.
  const places = new Set([0, Math.floor(last / 2), Math.max(0, last - 1), last]);
  for (const step of places) {
    for (const isUsed of [false, true]) {
      const expected = playTo(run, { seed, step });
      // Saves a separate environment, as another check reports a `save` with side effects.
      const saved = playTo(run, { seed, step }).env.save();
      const found = isUsed ? playTo(run, { seed: seed + 1, step: Math.ceil(last / 3) }) : create();
      found.env.restore(JSON.parse(JSON.stringify(saved)) as EnvState);
      compareRestored(run, { found, expected, step });
    }
  }
}

function playTo(run: EnvRun, { seed, step }: { readonly seed: number; readonly step: number }): Subject {
  const subject = run.create();
  subject.reset({ seed });
  playOn(run, subject, { episode: 0, steps: step, visit: () => undefined });
  return subject;
}

/** Number of resets after restoring: a random choice at a reset may be as little as one bit. */
const MORE_EPISODES = 8;

interface Restored {
  readonly found: Subject;
  readonly expected: Subject;
  readonly step: number;
}

/** Compares both for the rest of this episode and in the next ones. */
function compareRestored(run: EnvRun, { found, expected, step: first }: Restored): void {
  const { list } = run;
  const placeOf = (step: number): Place => ({ episode: 0, step });
  if (found.showsRestored) expectAlike(run, { found, expected, code: 'restore-differs' }, placeOf(first));
  const rng = createRng(run.seed, 'conformance', 'restored');
  for (let step = first; step < run.steps && !expected.needsReset(); step++) {
    const action = pickAction(expected, rng);
    if (action === undefined) break;
    act(expected, action, { list, place: placeOf(step) });
    const error = refusalOf(() => {
      found.step(action);
    });
    const difference =
      error === null
        ? firstDifference(visibleCopy(found), visibleCopy(expected))
        : describeError(error.error);
    // Some environments show the restored state only after the next step.
    const isShown = found.showsRestored || step > first;
    list.expectSame(isShown ? 'restore-goes-on' : 'restore-differs', difference, placeOf(step + 1));
  }
  const twins = { found, expected, code: 'restore-goes-on' } as const;
  for (let episode = 1; episode <= MORE_EPISODES; episode++) {
    expected.reset();
    found.reset();
    if (episode === 1) playTwinsOn(run, twins, episode);
    else expectAlike(run, twins, { episode, step: 0 });
  }
}

/** Checks that invalid states are refused and change nothing. */
export function checkRestoreRefusals(run: EnvRun): void {
  const { create, list } = run;
  const code = 'restore-unchecked';
  const saved = playTo(run, { seed: run.seed, step: 1 }).env.save();
  playTwins(run, {
    found: create(),
    expected: create(),
    code,
    disturb: ({ env }, place) => {
      const others = [{ version: 1 }, { ...saved, version: 2 }] as unknown as EnvState[];
      for (const [index, state] of others.entries()) {
        const error = refusalOf(() => {
          env.restore(state);
        });
        const what = index === 0 ? 'a state without fields' : 'a state of version 2';
        if (error === null) list.end(code, `expected ${what} to be refused, got no error`, place);
      }
    },
  });
}
