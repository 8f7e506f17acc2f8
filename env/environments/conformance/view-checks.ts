import type { Space } from '../../spaces/space.js';
import { formatViolation, type Violation } from '../../spaces/violation.js';
import type { FindingCode } from './codes.js';
import { firstDifference } from './difference.js';
import { type EnvRun, playEpisodes } from './env-run.js';
import type { FindingList, Place } from './finding.js';
import { isOver, visibleCopy, type Subject, type AgentView } from './subject.js';

/** Checks that reading changes nothing. */
export function checkReading(run: EnvRun): void {
  const subject = run.create();
  playEpisodes(run, subject, (place) => {
    const before = visibleCopy(subject);
    run.list.expectSame('reading-changes', firstDifference(visibleCopy(subject), before), place);
  });
}

/** Checks types and spaces of the next agent's view, and that legal actions, mask and end are consistent. */
export function checkView(run: EnvRun): void {
  const { create, list } = run;
  const subject = create();
  const ends: Place[] = [];
  playEpisodes(run, subject, (place) => {
    if (subject.needsReset()) ends.push(place);
    const space = subject.observationSpace();
    if (subject.observationSpace() !== space || subject.actionSpace() !== subject.actionSpace()) {
      list.end('space-changes', 'expected the same object at each call, got another', place);
    }
    if (subject.isEmpty()) return;
    expectTold(run, subject, place);
  });
  if (ends.length === 0) list.skip(`ends: no episode ended within ${run.steps} steps`);
}

function expectTold({ list }: EnvRun, subject: Subject, place: Place): void {
  const view = subject.view();
  expectInSpace(list, { space: subject.observationSpace(), value: view.observation }, place);
  if (!Number.isFinite(view.reward)) {
    list.end('reward-type', `expected a finite number, got ${String(view.reward)}`, place);
  }
  const { terminated, truncated }: { terminated: unknown; truncated: unknown } = view;
  if (typeof terminated !== 'boolean' || typeof truncated !== 'boolean' || (terminated && truncated)) {
    const found = `${String(terminated)} and ${String(truncated)}`;
    list.end(
      'ended-type',
      `expected terminated and truncated to be booleans, not both true, got ${found}`,
      place,
    );
  }
  expectLegalActions(list, subject, place);
  expectMask(list, view, place);
}

/** Ends the check unless an observation is in its space. */
export function expectInSpace(
  list: FindingList,
  { space, value }: { readonly space: Space; readonly value: unknown },
  place: Place,
): void {
  const violation = space.violation(value);
  if (violation !== null) list.end(violationCode(violation, value), formatViolation(violation), place);
}

/** Distinguishes a wrong number from a wrong type. */
function violationCode({ path }: Violation, value: unknown): FindingCode {
  let found = value;
  for (const part of path) found = (found as Readonly<Record<string | number, unknown>>)[part];
  return typeof found === 'number' ? 'observation-range' : 'observation-type';
}

function expectLegalActions(list: FindingList, subject: Subject, place: Place): void {
  const view = subject.view();
  const { legalActions } = view.info;
  const space = subject.actionSpace();
  const stray = legalActions.findIndex(
    (action, index) => !space.contains(action) || (index > 0 && action <= legalActions[index - 1]!),
  );
  if (stray !== -1) {
    list.end(
      'legal-actions',
      `expected ascending actions in ${String(space)}, got ${legalActions[stray]!} at [${stray}]`,
      place,
    );
  }
  if (isOver(view) && legalActions.length > 0) {
    list.end('mask-of-other', `expected no legal actions after the end, got ${legalActions.length}`, place);
  }
  if (!isOver(view) && legalActions.length === 0) {
    list.end('legal-actions', 'expected legal actions before the end, got none', place);
  }
}

function expectMask(list: FindingList, { observation, info }: AgentView, place: Place): void {
  const mask = findMask(observation) ?? findMask(info);
  if (mask === null) {
    list.skip('masks: neither observation nor info has an actionMask');
    return;
  }
  const allowed = Int32Array.from(mask.keys()).filter((action) => mask[action] === 1);
  list.expectSame('mask-differs', firstDifference(allowed, info.legalActions), place);
}

/** The mask in an observation or info; null if there is none. */
export function findMask(holder: unknown): Uint8Array | null {
  if (typeof holder !== 'object' || holder === null || !('actionMask' in holder)) return null;
  return holder.actionMask instanceof Uint8Array ? holder.actionMask : null;
}
