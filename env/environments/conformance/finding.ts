import { CodedError } from '../../errors.js';
import type { FindingCode } from './codes.js';

/** Where something was found; null where it has no place. */
export interface Place {
  /** Which game or episode, from 0. */
  readonly episode: number | null;
  /** Steps, or plies, before it in that episode. */
  readonly step: number | null;
}

/** Something that does not conform. */
export interface Finding extends Place {
  readonly code: FindingCode;
  /** What was expected, and what was found. */
  readonly message: string;
}

/** What checks found. */
export interface ConformanceReport {
  /** One of a code at most, the first found; none for what conforms. */
  readonly findings: readonly Finding[];
  /** What could not be checked, and why. */
  readonly skipped: readonly string[];
  /** Of random play with every observation read; null without a clock. Never a finding. */
  readonly stepsPerSecond: number | null;
}

/** Thrown by `assertConforms`; `report` has all findings, the message too. */
export class ConformanceError extends CodedError<'not-conforming'> {
  override readonly name = 'ConformanceError';
  override readonly exitCode = 1;
  readonly report: ConformanceReport;

  constructor(report: ConformanceReport) {
    super('not-conforming', report.findings.map(formatFinding).join('\n'));
    this.report = report;
  }
}

/** `illegal-accepted: …, episode 0, step 3`. */
export function formatFinding({ code, message, episode, step }: Finding): string {
  const places = [episode === null ? '' : `, episode ${episode}`, step === null ? '' : `, step ${step}`];
  return `${code}: ${message}${places.join('')}`;
}

/** Leaves a check that cannot go on after what it found. */
class CheckEnded extends Error {}

/** No place in particular. */
export const NOWHERE: Place = { episode: null, step: null };

/** What checks write their findings to. */
export class FindingList {
  readonly findings: Finding[] = [];
  readonly skipped: string[] = [];

  /** Whether one of the codes was found. */
  has(...codes: readonly FindingCode[]): boolean {
    return this.findings.some(({ code }) => codes.includes(code));
  }

  /** Adds a finding, unless there is one with its code. */
  add(code: FindingCode, message: string, { episode, step }: Place = NOWHERE): void {
    if (!this.has(code)) this.findings.push({ code, message, episode, step });
  }

  /** Adds a finding and leaves the check. */
  end(code: FindingCode, message: string, place?: Place): never {
    this.add(code, message, place);
    throw new CheckEnded();
  }

  /** Ends the check with a finding unless `difference` is null. */
  expectSame(code: FindingCode, difference: string | null, place?: Place): void {
    if (difference !== null) this.end(code, difference, place);
  }

  /** Notes once what could not be checked. */
  skip(reason: string): void {
    if (!this.skipped.includes(reason)) this.skipped.push(reason);
  }

  /** Runs a check to its end; what it throws is a finding. */
  run(name: string, check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof CheckEnded)) this.add('threw', `${name}: ${describeError(error)}`);
    }
  }

  report(stepsPerSecond: number | null = null): ConformanceReport {
    return { findings: this.findings, skipped: this.skipped, stepsPerSecond };
  }
}

/** `TypeError: …`. */
export function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
