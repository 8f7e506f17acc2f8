import { CodedError } from '../../errors.js';
import type { FindingCode } from './codes.js';

/** The place of a finding; null if it has none. */
export interface Place {
  /** Index of the game or episode, from 0. */
  readonly episode: number | null;
  /** Number of steps, or plies, before it in that episode. */
  readonly step: number | null;
}

/** A violation of the contract. */
export interface Finding extends Place {
  readonly code: FindingCode;
  /** A text with the expected and the found value. */
  readonly message: string;
}

/** The result of checks. */
export interface ConformanceReport {
  /** The first finding of each code; empty for a conforming subject. */
  readonly findings: readonly Finding[];
  /** Checks that could not run, with reasons. */
  readonly skipped: readonly string[];
  /** Speed of random play that reads every observation; null without a clock. Never a finding. */
  readonly stepsPerSecond: number | null;
}

/** Thrown by `assertConforms`. `report` and the message contain all findings. */
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
function formatFinding({ code, message, episode, step }: Finding): string {
  const places = [episode === null ? '' : `, episode ${episode}`, step === null ? '' : `, step ${step}`];
  return `${code}: ${message}${places.join('')}`;
}

/** Thrown to end a check that cannot continue after a finding. */
class CheckEnded extends Error {}

/** No place in particular. */
const NOWHERE: Place = { episode: null, step: null };

/** Collects the findings of checks. */
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

  /** Adds a finding and ends the check. */
  end(code: FindingCode, message: string, place?: Place): never {
    this.add(code, message, place);
    throw new CheckEnded();
  }

  /** Ends the check with a finding unless `difference` is null. */
  expectSame(code: FindingCode, difference: string | null, place?: Place): void {
    if (difference !== null) this.end(code, difference, place);
  }

  /** Records once that a check could not run. */
  skip(reason: string): void {
    if (!this.skipped.includes(reason)) this.skipped.push(reason);
  }

  /** Runs a check; an error it throws is a finding. */
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
