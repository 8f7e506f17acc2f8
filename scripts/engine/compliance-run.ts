import { CodedError } from '../../env/errors.js';
import type { Game } from '../../env/game.js';
import { EngineProcess } from '../../training/play/engines/engine-process.js';
import {
  COMPLIANCE_CHECKS,
  type ComplianceCheck,
  ComplianceFault,
  END_OF_INPUT_CHECK,
  type TestedEngine,
} from './compliance-checks.js';

/** Fault of all later checks if the engine does not answer the first one, whose own fault is the reason. */
const DOES_NOT_START = "the engine does not answer 'uci'";

/** The result of a check; `fault` is absent if the engine meets it. */
export interface CheckResult {
  readonly name: string;
  readonly fault?: string;
}

/** Runs a check; returns the fault that it found. */
async function faultOf({ run }: ComplianceCheck, tested: TestedEngine): Promise<Error | undefined> {
  try {
    await run(tested);
    return undefined;
  } catch (error) {
    if (error instanceof ComplianceFault || error instanceof CodedError) return error;
    throw error;
  }
}

/**
 * Runs all checks on the engine that a shell command starts.
 *
 * @param onResult receives each result when its check ends.
 */
export async function testEngine(
  command: string,
  game: Game<unknown>,
  onResult: (result: CheckResult) => void = () => undefined,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const report = ({ name }: ComplianceCheck, fault: string | undefined): void => {
    const result = { name, ...(fault !== undefined && { fault }) };
    results.push(result);
    onResult(result);
  };
  const [first, ...others] = [...COMPLIANCE_CHECKS, END_OF_INPUT_CHECK] as const;
  let engine = new EngineProcess(command);
  try {
    const firstFault = await faultOf(first, { engine, game });
    report(first, firstFault?.message);
    // The error of a program that has ended, or is silent: each check would wait for it again, up to a minute.
    const isOver = firstFault instanceof CodedError;
    for (const check of others) {
      if (isOver) {
        report(check, DOES_NOT_START);
        continue;
      }
      // After a fault the engine may be in any state.
      if (!engine.isRunning || results.at(-1)!.fault !== undefined) {
        engine.kill();
        engine = new EngineProcess(command);
      }
      report(check, (await faultOf(check, { engine, game }))?.message);
    }
  } finally {
    engine.kill();
  }
  return results;
}
