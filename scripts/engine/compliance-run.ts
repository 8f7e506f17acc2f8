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

/** The fault of all checks but the first of an engine that does not start; the fault of the first is the reason. */
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
  const report = (result: CheckResult): void => {
    results.push(result);
    onResult(result);
  };
  const [first, ...others] = [...COMPLIANCE_CHECKS, END_OF_INPUT_CHECK] as const;
  let engine = new EngineProcess(command);
  try {
    report(await runCheck(first, { engine, game }));
    const isOver = results[0]!.fault !== undefined && !engine.isRunning && engine.take().length === 0;
    for (const check of others) {
      if (isOver) {
        // A program that ends at once and prints nothing would do so for every check.
        report({ name: check.name, fault: DOES_NOT_START });
        continue;
      }
      // After a fault the engine may be in any state.
      if (!engine.isRunning || results.at(-1)!.fault !== undefined) {
        engine.kill();
        engine = new EngineProcess(command);
      }
      report(await runCheck(check, { engine, game }));
    }
  } finally {
    engine.kill();
  }
  return results;
}
