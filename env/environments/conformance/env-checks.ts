import { createRng } from '../../random.js';
import type { RenderMode } from '../env-spec.js';
import { firstDifference, snapshot } from './difference.js';
import {
  act,
  type EnvRun,
  expectAlike,
  pickAction,
  playEpisodes,
  playOn,
  playTwins,
  playTwinsOn,
  refusalOf,
} from './env-run.js';
import { describeError } from './finding.js';
import { isOver, visibleCopy, type Subject } from './subject.js';

/** Seeds that no other check uses. */
const OTHER_SEEDS = [7, 11, 13, 17, 19, 23, 29, 31];

/** Checks that the same seed and actions produce the same episodes, whatever was played before. */
export function checkSeeds(run: EnvRun): void {
  const { create, list } = run;
  const first = { episode: 0, step: 0 };
  const twins = { found: create(), expected: create(), code: 'seed-ignored' } as const;
  playTwins(run, twins);
  const fresh = create();
  const used = create();
  used.reset({ seed: run.seed + 1 });
  playOn(run, used, { episode: 1, visit: () => undefined });
  // An environment that ignores the seed fails the first comparison; one that keeps state differs only in the
  // second.
  const starts = [0, 1].map(() => {
    used.reset({ seed: run.seed });
    return visibleCopy(used);
  });
  list.expectSame('seed-ignored', firstDifference(starts[1], starts[0]), first);
  fresh.reset({ seed: run.seed });
  expectAlike(run, { found: used, expected: fresh, code: 'reset-keeps-state' }, first);
  playTwinsOn(run, { found: used, expected: fresh, code: 'seed-ignored' }, 0);
}

/**
 * Checks of random environments that other seeds produce other episodes, and that a reset without a seed
 * continues the streams.
 */
export function checkChance(run: EnvRun): void {
  const { create, list, options } = run;
  if (options.isStochastic !== true) return;
  const subject = create();
  /** Everything an episode with fixed choices shows. */
  const record = (): unknown[] => {
    const seen: unknown[] = [];
    playOn(run, subject, { episode: 0, visit: () => seen.push(visibleCopy(subject)) });
    return seen;
  };
  const episodes = OTHER_SEEDS.map((seed) => {
    subject.reset({ seed });
    const seeded = record();
    subject.reset();
    return { seeded, next: record() };
  });
  const [{ seeded: sample } = { seeded: [] }] = episodes;
  if (episodes.every(({ seeded }) => firstDifference(seeded, sample) === null)) {
    list.add('seed-alike', `expected different episodes of seeds ${OTHER_SEEDS.join(', ')}, got equal ones`);
  }
  if (episodes.every(({ seeded, next }) => firstDifference(seeded, next) === null)) {
    list.add('seed-restarts', 'expected another episode after a reset without a seed, got the same again');
  }
}

/** Number of actions tried at each step, besides the neighbours of legal ones. */
const MAX_TRIED = 64;

/** Checks that illegal actions are refused with the code `illegal-action`, and change nothing. */
export function checkIllegal(run: EnvRun): void {
  if (run.options.refusesIllegal === false) return;
  const { create, list } = run;
  const rng = createRng(run.seed, 'conformance', 'illegal');
  playTwins(run, {
    found: create(),
    expected: create(),
    code: 'illegal-changes',
    disturb: (subject, place) => {
      if (subject.needsReset() || isOver(subject.view())) return;
      for (const action of drawIllegal(subject, (bound) => rng.integer(bound))) {
        const error = refusalOf(() => {
          subject.step(action);
        });
        if (error === null)
          list.end('illegal-accepted', `expected ${action} to be refused, got no error`, place);
        if (codeOf(error) === 'illegal-action') continue;
        list.end('illegal-error', `expected code illegal-action, got ${describeError(error?.error)}`, place);
      }
    },
  });
}

function codeOf(refusal: { readonly error: unknown } | null): unknown {
  return (refusal?.error as { readonly code?: unknown } | null | undefined)?.code;
}

/** Illegal actions, all of them if there are few, and values outside the action space. */
function drawIllegal(subject: Subject, draw: (bound: number) => number): (number | null)[] {
  const { n, start } = subject.actionSpace();
  const legal = new Set(subject.view().info.legalActions);
  const candidates =
    n <= MAX_TRIED
      ? Array.from({ length: n }, (_, index) => start + index)
      : [
          ...Array.from({ length: MAX_TRIED }, () => start + draw(n)),
          ...[...legal].slice(0, MAX_TRIED).map((a) => a + 1),
        ];
  const inSpace = candidates.filter((action) => action < start + n && !legal.has(action));
  return [...inSpace, start - 1, start + n, start + 0.5, NaN, null];
}

/** Number of legal actions tried at a position, and of positions tried in an episode. */
const MAX_BRANCHES = 24;
const NUM_POSITIONS = 3;

/** Checks that all legal actions are accepted, not only those that are played. */
export function checkLegal(run: EnvRun): void {
  const { create, list } = run;
  const rng = createRng(run.seed, 'conformance', 'legal');
  const guide = create();
  guide.reset({ seed: run.seed });
  const played: number[] = [];
  for (let position = 0; position < NUM_POSITIONS; position++) {
    const { info } = guide.view();
    const actions = snapshot(info.legalActions) as Int32Array;
    const place = { episode: 0, step: played.length };
    for (let branch = 0; branch < Math.min(MAX_BRANCHES, actions.length); branch++) {
      const index = actions.length <= MAX_BRANCHES ? branch : rng.integer(actions.length);
      const subject = create();
      subject.reset({ seed: run.seed });
      for (const action of played) act(subject, action, { list, place });
      act(subject, actions[index]!, { list, place });
    }
    for (let step = 0; step < run.steps / NUM_POSITIONS; step++) {
      if (guide.needsReset() || isOver(guide.view())) return;
      const action = pickAction(guide, rng);
      if (action === null || action === undefined) return;
      act(guide, action, { list, place });
      played.push(action);
    }
  }
}

/** Checks that an environment of one agent refuses steps after the end. */
export function checkStepsAfterEnd(run: EnvRun): void {
  const { list } = run;
  const subject = run.create();
  playEpisodes(run, subject, (place) => {
    if (!subject.needsReset()) return;
    for (const action of [subject.actionSpace().start, null]) {
      const error = refusalOf(() => {
        subject.step(action);
      });
      if (error === null)
        list.end('dead-step-accepts', 'expected a step after the end to be refused, got no error', place);
    }
  });
}

/** A text that is not a position of any game. */
const NO_POSITION = '\u0000';

/** Checks that a reset from an invalid position is refused and changes nothing. */
export function checkResetRefusals(run: EnvRun): void {
  if (run.options.takesPositions === false) return;
  const { create, list } = run;
  playTwins(run, {
    found: create(),
    expected: create(),
    code: 'reset-unchecked',
    disturb: (subject, place) => {
      const error = refusalOf(() => {
        subject.reset({ position: NO_POSITION });
      });
      if (error === null)
        list.end('reset-unchecked', 'expected position U+0000 to be refused, got no error', place);
    },
  });
}

/**
 * Checks that returned arrays do not change later, and that writing to them does not affect the environment.
 */
export function checkAliasing(run: EnvRun): void {
  if (run.options.copy === false) return;
  const { create, list } = run;
  const code = 'aliased-arrays';
  const subject = create();
  let held: { readonly seen: unknown; readonly copy: unknown } | undefined;
  playEpisodes(run, subject, (place) => {
    const seen = subject.visible();
    if (held !== undefined) list.expectSame(code, firstDifference(held.seen, held.copy), place);
    held = { seen, copy: snapshot(seen) };
  });
  let old: unknown = null;
  const disturb = (scribbled: Subject): void => {
    // Writes to results from before the last step; the last results are compared anyway.
    scribble(old);
    old = scribbled.visible();
  };
  playTwins(run, { found: create(), expected: create(), code, disturb });
}

/** Overwrites all typed arrays in a value. */
function scribble(value: unknown): void {
  if (ArrayBuffer.isView(value)) {
    if ('fill' in value) (value as Uint8Array).fill(1);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) scribble(member);
  }
}

const RENDER_MODES: readonly RenderMode[] = ['ansi', 'human', 'svg'];

/** Checks that `render` returns what its mode requires, and changes nothing. */
export function checkRender(run: EnvRun): void {
  const { create, list } = run;
  const { metadata, renderMode } = create().env;
  const stray = metadata.renderModes.find((mode) => !RENDER_MODES.includes(mode));
  if (stray !== undefined) list.end('render-mode', `expected ${RENDER_MODES.join(', ')}; got '${stray}'`);
  if (renderMode !== null && !metadata.renderModes.includes(renderMode)) {
    list.end('render-mode', `expected one of ${metadata.renderModes.join(', ')}; got '${renderMode}'`);
  }
  playTwins(run, {
    found: create(),
    expected: create(),
    code: 'render-changes',
    disturb: ({ env }, place) => {
      const complaint = complainOfRender(renderMode, env.render());
      if (complaint !== null) list.end('render-empty', complaint, place);
    },
  });
}

function complainOfRender(mode: RenderMode | null, text: unknown): string | null {
  if (mode === null || mode === 'human') {
    return text === null ? null : `expected null in mode ${mode ?? 'null'}, got ${typeof text}`;
  }
  if (typeof text !== 'string' || text.trim() === '') return `expected text in mode ${mode}, got none`;
  return mode === 'ansi' || /<svg[\s>][^]*<\/svg>/.test(text)
    ? null
    : 'expected an SVG document, got other text';
}

/** Checks that `close` is idempotent. */
export function checkClose({ create, list, seed }: EnvRun): void {
  const subject = create();
  subject.reset({ seed });
  subject.env.close();
  const error = refusalOf(() => {
    subject.env.close();
  });
  if (error !== null)
    list.add('close-twice', `expected a second close to have no effect, got ${describeError(error.error)}`);
}

/** Number of timed steps, after a warm-up. */
const TIMED_STEPS = 1000;
const WARM_UP_STEPS = 200;

/** Steps per second of random play that reads every observation; null without a clock. */
export function measureSpeed(run: EnvRun): number | null {
  const { now } = run.options;
  if (now === undefined) return null;
  const subject = run.create();
  /** Plays whole episodes with at least `atLeast` steps; returns the number of steps. */
  const play = (atLeast: number): number => {
    let steps = 0;
    while (steps < atLeast) {
      const before = steps;
      subject.reset();
      playOn(run, subject, {
        episode: steps,
        visit: () => {
          if (subject.needsReset()) return;
          const { observation } = subject.view();
          // Reads the arrays, which may be filled lazily.
          if (typeof observation === 'object' && observation !== null) Object.values(observation);
          steps += 1;
        },
      });
      if (steps === before) break;
    }
    return steps;
  };
  play(WARM_UP_STEPS);
  const start = now();
  const steps = play(TIMED_STEPS);
  return (steps / Math.max(now() - start, Number.EPSILON)) * 1000;
}
