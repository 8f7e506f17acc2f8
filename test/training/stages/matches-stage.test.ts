import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RunConfig } from '../../../training/config/run-config.js';
import { openRun, type Run } from '../../../training/run/run-folder.js';
import { writeRecord } from '../../../training/run/run-record-file.js';
import { playGames, replayLostGames } from '../../../training/stages/games-stage.js';
import type { MatchServices } from '../../../training/stages/loop-services.js';
import { FIRST_GENERATION, playMatches } from '../../../training/stages/matches-stage.js';
import { WorkerPool } from '../../../training/workers/worker-pool.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord } from '../run/record-fixtures.js';

/** A run with empty checkpoints 0 and 1, evaluated against one opponent. */
async function twoCheckpoints(): Promise<Run> {
  const config = RunConfig.parse({
    game: { id: 'connect-four' },
    evaluation: { every: 1, opponents: ['random'], playsFirst: true },
  });
  const run = await openRun(join(temporaryFolder(), 'run'), { config, resume: false, versions: {} });
  await run.lock.release();
  for (const generation of [0, 1]) mkdirSync(run.paths.checkpoint(generation), { recursive: true });
  return run;
}

/** Services after the signal. No process of the pool starts before its first job. */
function stoppedServices(): MatchServices {
  const pool = new WorkerPool(1);
  onTestFinished(() => pool.dispose());
  const unexpected = (): never => {
    throw new Error('expected no stage to begin after the signal');
  };
  const observer = {
    onStage: unexpected,
    onProgress: unexpected,
    onMetrics: unexpected,
    onGate: unexpected,
    onEvaluation: unexpected,
  };
  return { pool, observer, signal: AbortSignal.abort(), now: () => 0 };
}

test('after the signal, matches stop before the first one that is not recorded', async () => {
  const run = await twoCheckpoints();
  const services = stoppedServices();
  expect(await playMatches(run, 1, services)).toBe('stopped');
  await writeRecord(run.paths, 'evaluations', evaluationRecord(1, 'random'));
  expect(await playMatches(run, 1, services)).toBe('stopped');
  await writeRecord(run.paths, 'evaluations', evaluationRecord(1, FIRST_GENERATION));
  expect(await playMatches(run, 1, services)).toBe('done');
});

test('matches without anything to play are done, even after the signal', async () => {
  const run = await twoCheckpoints();
  const services = stoppedServices();
  // Its checkpoint was removed, or it is not due.
  expect(await playMatches(run, 2, services)).toBe('done');
  const never = { ...run, config: { ...run.config, evaluation: { ...run.config.evaluation, every: 0 } } };
  expect(await playMatches(never, 1, services)).toBe('done');
});

test('after the signal, games stop before they are planned; without losses none are replayed', async () => {
  const run = await twoCheckpoints();
  const services = stoppedServices();
  expect(await playGames(run, 1, services)).toEqual({ end: 'stopped' });
  expect(await replayLostGames(run, services)).toBe('done');
});
