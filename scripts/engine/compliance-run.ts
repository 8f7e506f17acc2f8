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

/** What each check of an engine that does not start finds after the first one, which has the reason. */
const DOES_NOT_START = 'the engine does not start';

/** The result of a check; `fault` is absent if the engine meets it. */
export interface CheckResult {
  readonly name: string;
  readonly fault?: string;
}

async function runCheck({ name, run }: ComplianceCheck, tested: TestedEngine): Promise<CheckResult> {
  try {
    await run(tested);
    return { name };
  } catch (error) {
    if (error instanceof ComplianceFault || error instanceof CodedError)
      return { name, fault: error.message };
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
  let engine = new EngineProcess(command);
  let hasStarted = true;
  try {
    for (const check of [...COMPLIANCE_CHECKS, END_OF_INPUT_CHECK]) {
      // After a fault the engine may be in any state.
      const canContinue = engine.isRunning && results.at(-1)?.fault === undefined;
      if (!canContinue && hasStarted) {
        engine.kill();
        engine = new EngineProcess(command);
      }
      const result: CheckResult = hasStarted
        ? await runCheck(check, { engine, game })
        : { name: check.name, fault: DOES_NOT_START };
      // A program that ends at once and prints nothing would do so for every check.
      hasStarted &&=
        results.length > 0 || engine.isRunning || engine.take().length > 0 || result.fault === undefined;
      results.push(result);
      onResult(result);
    }
  } finally {
    engine.kill();
  }
  return results;
}
