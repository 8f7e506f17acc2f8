import { mkdirSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { isLong } from '../../long-tests.js';
import { RunConfig } from '../../../training/config/run-config.js';
import { openRun, type Run } from '../../../training/run/run-folder.js';
import { runPaths } from '../../../training/run/run-paths.js';
import { readRecords, writeRecord } from '../../../training/run/run-record-file.js';
import { verify } from '../../../training/run/run-verification.js';
import { playGeneration, replayLostGames } from '../../../training/stages/games-stage.js';
import type { MatchStageServices } from '../../../training/stages/loop-services.js';
import { playMatches } from '../../../training/stages/matches-stage.js';
import { ProcessPool } from '../../../training/workers/process-pool.js';
import { temporaryFolder } from '../../data/temporary-folder.js';
import { evaluationRecord } from '../run/record-fixtures.js';
import { runOfNetworks } from '../run/run-of-networks.js';

/** A run with empty checkpoints 0 and 1, evaluated against one opponent. */
async function twoCheckpoints(): Promise<Run> {
  const config = RunConfig.parse({
    game: { id: 'connect-four' },
    evaluation: { every: 1, opponents: ['random'], playsFirst: true },
  });
  const run = await openRun(join(temporaryFolder(), 'run'), { config, resume: false, versions: {} });
  run.lock.release();
  for (const generation of [0, 1]) mkdirSync(run.paths.checkpoint(generation), { recursive: true });
  return run;
}

/** Services whose signal has been aborted. No process of the pool starts before its first job. */
function stoppedServices(): MatchStageServices {
  const pool = new ProcessPool(1);
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
  await writeRecord(run.paths, 'evaluations', evaluationRecord(1, 'generation-0'));
  expect(await playMatches(run, 1, services)).toBe('done');
});

test('matches with nothing to play are done, even after the signal', async () => {
  const run = await twoCheckpoints();
  const services = stoppedServices();
  // The generation's checkpoint was removed, or no match is due.
  expect(await playMatches(run, 2, services)).toBe('done');
  const never = { ...run, config: { ...run.config, evaluation: { ...run.config.evaluation, every: 0 } } };
  expect(await playMatches(never, 1, services)).toBe('done');
});

test('after the signal, games stop before they are planned; without losses none are replayed', async () => {
  const run = await twoCheckpoints();
  const services = stoppedServices();
  expect(await playGeneration(run, 1, services)).toEqual({ end: 'stopped' });
  expect(await replayLostGames(run, services)).toBe('done');
});

const onlyProcess = new ProcessPool(1);
afterAll(() => onlyProcess.dispose());

/** Services that abort their own signal after some games; the second job of 80 games waits for the only process. */
function servicesUntil(games: number): MatchStageServices {
  const pool = onlyProcess;
  const stop = new AbortController();
  const nothing = (): void => undefined;
  const onProgress = (done: number): void => {
    if (done >= games) stop.abort();
  };
  const observer = {
    onStage: nothing,
    onProgress,
    onMetrics: nothing,
    onGate: nothing,
    onEvaluation: nothing,
  };
  return { pool, observer, signal: stop.signal, now: () => 0 };
}

/** The records of matches without their times. */
async function timelessMatches(run: Run): Promise<unknown[]> {
  const records = await readRecords(run.paths, 'evaluations');
  return records.map((record) => ({ ...record, msPerMove: null, seconds: null }));
}

test(
  'a match that the signal ended resumes to the same result, even if the run was moved',
  { timeout: 60_000 },
  async () => {
    const settings = {
      evaluation: {
        every: 1,
        opponents: ['random'],
        games: 160,
        simulations: 4,
        playsFirst: false,
        earlier: 1,
      },
    };
    const [run, undisturbed] = [await runOfNetworks([1, 2], settings), await runOfNetworks([1, 2], settings)];
    expect(await playMatches(undisturbed, 1, servicesUntil(Infinity))).toBe('done');
    expect(await playMatches(run, 1, servicesUntil(3))).toBe('stopped');
    expect(await readRecords(run.paths, 'evaluations')).toEqual([]);
    const games = await readdir(join(run.paths.match(1, 'random'), 'games'));
    expect(games.length).toBeGreaterThanOrEqual(3);
    expect(games.length).toBeLessThan(settings.evaluation.games);
    const moved = `${run.paths.folder}-moved`;
    await rename(run.paths.folder, moved);
    const resumed = { ...run, paths: runPaths(moved) };
    expect(await playMatches(resumed, 1, servicesUntil(Infinity))).toBe('done');
    expect(await timelessMatches(resumed)).toEqual(await timelessMatches(undisturbed));
    const [first, second] = await readRecords(resumed.paths, 'evaluations');
    expect([first!.key, second!.key]).toEqual(['random', 'generation-0']);
    expect(first!.seconds).toBeGreaterThan(0);
    expect(first!.openings).toEqual({ plies: 4 });
    const { problems, unchecked } = await verify(resumed.paths.match(1, 'random'), { deep: false });
    expect({ problems, unchecked }).toEqual({ problems: [], unchecked: [] });
  },
);

test.runIf(isLong)('games with other settings are played again', { timeout: 60_000 }, async () => {
  const evaluation = {
    every: 1,
    opponents: ['random'],
    games: 80,
    simulations: 2,
    playsFirst: false,
    earlier: 0,
  };
  const run = await runOfNetworks([1, 2], { evaluation });
  expect(await playMatches(run, 1, servicesUntil(2))).toBe('stopped');
  const changed = {
    ...run,
    config: RunConfig.parse({ ...run.config, evaluation: { ...evaluation, simulations: 3 } }),
  };
  const other = await runOfNetworks([1, 2], { evaluation: { ...evaluation, simulations: 3 } });
  expect(await playMatches(changed, 1, servicesUntil(Infinity))).toBe('done');
  expect(await playMatches(other, 1, servicesUntil(Infinity))).toBe('done');
  expect(await timelessMatches(changed)).toEqual(await timelessMatches(other));
});
