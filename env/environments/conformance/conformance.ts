import type { Game } from '../../game.js';
import type { EnvSpec } from '../env-spec.js';
import type { Environment, TurnEnvironment } from '../environment.js';
import type { VectorEnvironment } from '../vector/vector-environment.js';
import { checkAgents, checkDeadSteps } from './turn-checks.js';
import {
  checkAliasing,
  checkChance,
  checkClose,
  checkIllegal,
  checkLegal,
  checkRender,
  checkResetRefusals,
  checkSeeds,
  checkStepsAfterEnd,
  measureSpeed,
} from './env-checks.js';
import { createEnvRun, type EnvCheckOptions, type EnvRun } from './env-run.js';
import { ConformanceError, type ConformanceReport, FindingList } from './finding.js';
import { checkGameInto, type GameCheckOptions } from './game-conformance.js';
import { comparePlaythrough } from './playthrough.js';
import { checkRestoring, checkRestoreRefusals, checkSaving } from './restore-checks.js';
import { checkRules, type RulesToCompare } from './rules-checks.js';
import { checkSpec } from './spec-check.js';
import { agentSubject, turnSubject } from './subject.js';
import { checkReading, checkView } from './view-checks.js';
import { checkVector, createTwins, type VectorCheckOptions } from './vector-checks.js';

export type { FindingCode } from './codes.js';
export type { ConformanceReport, Finding } from './finding.js';

/** Options for checking an environment of agents in turn. */
export interface TurnCheckOptions<Seen> extends EnvCheckOptions {
  /** Whether the rewards of a step must sum to zero. Defaults to true. */
  readonly isZeroSum?: boolean | undefined;
  /** The game, to compare the environment with. */
  readonly rules?: RulesToCompare | undefined;
  /** Makes the environment of a spec. Defaults to `makeFromSpec`. */
  readonly makeSpec?: ((spec: EnvSpec) => TurnEnvironment<Seen>) | undefined;
}

/** Options for checking an environment of one agent. */
export interface SingleCheckOptions<Seen> extends EnvCheckOptions {
  /** Makes the environment of a spec. Defaults to `makeFromSpec`. */
  readonly makeSpec?: ((spec: EnvSpec) => Environment<Seen>) | undefined;
}

/**
 * Checks that a game fulfils the contract of `Game`, along random games.
 *
 * ```ts
 * assertConforms(checkGame(ticTacToe));
 * ```
 */
export function checkGame<State>(
  game: Game<State>,
  options: GameCheckOptions<State> = {},
): ConformanceReport {
  const list = new FindingList();
  checkGameInto(game, options, list);
  return list.report();
}

/** Checks a game against the text of an earlier `formatPlaythrough`. */
export function checkPlaythrough<State>(game: Game<State>, text: string): ConformanceReport {
  const list = new FindingList();
  list.run('playthrough', () => {
    comparePlaythrough(game, text, list);
  });
  return list.report();
}

/**
 * Checks that an environment fulfils the contract of `TurnEnvironment`.
 *
 * ```ts
 * assertConforms(checkTurnEnvironment(() => make('acme/TicTacToe-v0')));
 * ```
 *
 * @param create makes a new environment; all must be equal.
 */
export function checkTurnEnvironment<Seen>(
  create: () => TurnEnvironment<Seen>,
  options: TurnCheckOptions<Seen> = {},
): ConformanceReport {
  const list = new FindingList();
  const { makeSpec, rules, isZeroSum = true } = options;
  const run = createEnvRun(() => turnSubject(create()), options, list);
  return runChecks(run, {
    agents: () => {
      checkAgents(run, create, isZeroSum);
    },
    'dead steps': () => {
      checkDeadSteps(run, create);
    },
    spec: () => {
      checkSpec(run, makeSpec === undefined ? undefined : (spec) => turnSubject(makeSpec(spec)));
    },
    rules: () => {
      if (rules !== undefined) checkRules(run, create, rules);
    },
  });
}

/**
 * Checks that an environment fulfils the contract of `Environment`.
 *
 * @param create makes a new environment; all must be equal.
 */
export function checkEnvironment<Seen>(
  create: () => Environment<Seen>,
  options: SingleCheckOptions<Seen> = {},
): ConformanceReport {
  const list = new FindingList();
  const { makeSpec } = options;
  const run = createEnvRun(() => agentSubject(create()), options, list);
  return runChecks(run, {
    'steps after the end': () => {
      checkStepsAfterEnd(run);
    },
    spec: () => {
      checkSpec(run, makeSpec === undefined ? undefined : (spec) => agentSubject(makeSpec(spec)));
    },
  });
}

/**
 * Checks that a vector's environments behave as they do alone, under the vector's autoreset mode.
 *
 * @param create makes a new vector.
 * @param createAlone makes a new environment equal to those in the vector.
 */
export function checkVectorEnvironment<Seen>(
  create: () => VectorEnvironment<Seen>,
  createAlone: () => Environment<Seen>,
  options: VectorCheckOptions = {},
): ConformanceReport {
  const list = new FindingList();
  list.run('vector', () => {
    checkVector(list, createTwins(create, createAlone), options);
  });
  return list.report();
}

/** @throws ConformanceError `not-conforming` for a report with findings. */
export function assertConforms(report: ConformanceReport): void {
  if (report.findings.length > 0) throw new ConformanceError(report);
}

/** Checks of both kinds of environments that compare two equal ones. */
const COMPARING_CHECKS: Readonly<Record<string, (run: EnvRun) => void>> = {
  chance: checkChance,
  'legal actions': checkLegal,
  'illegal actions': checkIllegal,
  'reset refuses an invalid position': checkResetRefusals,
  saving: checkSaving,
  restoring: checkRestoring,
  'restore refuses an invalid state': checkRestoreRefusals,
  aliasing: checkAliasing,
  render: checkRender,
  close: checkClose,
};

function runChecks(run: EnvRun, checksOfKind: Readonly<Record<string, () => void>>): ConformanceReport {
  const { list } = run;
  const runOne = (name: string, check: (checked: EnvRun) => void): void => {
    list.run(name, () => {
      check(run);
    });
  };
  runOne('reading', checkReading);
  if (list.has('reading-changes')) {
    list.skip('all other checks: an environment that reading changes cannot be checked');
    return list.report();
  }
  runOne('view', checkView);
  runOne('seeds', checkSeeds);
  if (list.has('seed-ignored')) list.skip('comparisons of two environments: equal ones differ');
  else for (const [name, check] of Object.entries(COMPARING_CHECKS)) runOne(name, check);
  for (const [name, check] of Object.entries(checksOfKind)) list.run(name, check);
  let stepsPerSecond: number | null = null;
  list.run('speed', () => {
    stepsPerSecond = measureSpeed(run);
  });
  return list.report(stepsPerSecond);
}
