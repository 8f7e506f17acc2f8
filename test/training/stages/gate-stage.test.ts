import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { RunConfig } from '../../../training/config/run-config.js';
import { passGate } from '../../../training/stages/gate-stage.js';
import type { MatchStageServices } from '../../../training/stages/loop-services.js';
import { findPlayingGeneration, playingGeneration } from '../../../training/run/gate-records.js';
import { missingGenerations, readRecords, writeRecord } from '../../../training/run/run-record-file.js';
import type { GateRecord } from '../../../training/run/run-records.js';
import type { Run } from '../../../training/run/run-folder.js';
import { verify } from '../../../training/run/run-verification.js';
import { checkRunEvents, EVENTS_FILE } from '../../../training/run/tensorboard/run-events.js';
import { ProcessPool } from '../../../training/workers/process-pool.js';
import { gateRecord } from '../run/record-fixtures.js';
import { runOfNetworks } from '../run/run-of-networks.js';
import { decodeEventFile } from '../run/tensorboard/event-decoder.js';

/** A run with a gate (run-of-networks.ts). */
function runOf(seeds: readonly number[], gate: object): Promise<Run> {
  return runOfNetworks(seeds, { gate: { games: 8, simulations: 6, ...gate } });
}

type Services = MatchStageServices & { readonly stages: string[] };

/** Pools of one and two processes, which start with the first game. */
const pools = [1, 2].map((processes) => new ProcessPool(processes));
afterAll(() => Promise.all(pools.map((pool) => pool.dispose())));

function services(processes: 1 | 2, signal = new AbortController().signal): Services {
  const pool = pools[processes - 1]!;
  const stages: string[] = [];
  const nothing = (): void => undefined;
  const observer = {
    onStage: (stage: string, generation: number, detail: string) =>
      void stages.push(`${stage} ${generation}: ${detail}`),
    onProgress: nothing,
    onMetrics: nothing,
    onGate: nothing,
    onEvaluation: nothing,
  };
  return { pool, observer, signal, now: () => 1000, stages };
}

/** The records without their times. */
function timeless(records: readonly GateRecord[]): unknown[] {
  return records.map((record) => ({ ...record, msPerMove: null, seconds: null }));
}

describe('the network that plays self-play', () => {
  test('is the newest that passed the gate, or else generation 0', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), fc.nat(12), (passes, at) => {
        const records = passes.map((passed, index) => ({ generation: index + 1, passed }));
        const generation = Math.min(at, passes.length);
        let expected = 0;
        for (const record of records.slice(0, generation)) if (record.passed) expected = record.generation;
        expect(playingGeneration(records.toReversed(), generation)).toBe(expected);
        expect(missingGenerations(records, passes.length)).toEqual([]);
        const without = records.filter((record) => record.generation !== generation);
        expect(missingGenerations(without, passes.length)).toEqual(generation === 0 ? [] : [generation]);
      }),
    );
  });

  test(
    'stays if the new one scores too little, and also plays the next one',
    { timeout: 60_000 },
    async () => {
      // Against itself a network scores one half, since the two games of a pair are the same.
      const run = await runOf([1, 1, 2, 2], { score: 0.51 });
      const { stages, ...rest } = services(1);
      await passGate(run, 1, rest);
      expect(await readRecords(run.paths, 'gates')).toMatchObject([
        { generation: 1, opponent: 0, games: 8, score: 0.5, passed: false, time: 1 },
      ]);
      expect(await findPlayingGeneration(run, 1)).toBe(0);
      await passGate(run, 2, rest);
      expect(await passGate(run, 3, rest)).toBe('done');
      const [, second, third] = await readRecords(run.paths, 'gates');
      expect(second!.opponent).toBe(0);
      expect(second!.passed).toBe(second!.score >= 0.51);
      expect(third!.opponent).toBe(second!.passed ? 2 : 0);
      expect(third!.passed).toBe(third!.score >= 0.51);
      const events = decodeEventFile(readFileSync(join(run.paths.tensorboard, EVENTS_FILE)));
      const told = events
        .filter(({ scalars }) => scalars.has('gate/score'))
        .map(({ step, scalars }) => ({
          step,
          score: scalars.get('gate/score'),
          playing: scalars.get('gate/playing'),
        }));
      expect(told).toEqual(
        (await readRecords(run.paths, 'gates')).map(({ generation, opponent, passed, score }) => ({
          step: generation,
          score: Math.fround(score),
          playing: passed ? generation : opponent,
        })),
      );
      expect(await checkRunEvents(join(run.paths.tensorboard, EVENTS_FILE))).toBe(true);
      expect(stages.map((text) => text.split(':')[0])).toEqual(['gate 1', 'gate 2', 'gate 3']);
    },
  );

  test('changes if the new one scores just enough', { timeout: 60_000 }, async () => {
    const run = await runOf([1, 1], { score: 0.5 });
    await passGate(run, 1, services(1));
    expect(await findPlayingGeneration(run, 1)).toBe(1);
    expect(await findPlayingGeneration(run, 0)).toBe(0);
  });
});

describe('a gate match', () => {
  test(
    'does not depend on the number of processes, is played once, and differs between generations',
    { timeout: 60_000 },
    async () => {
      const run = await runOf([1, 2, 2], { score: 1 });
      const other = await runOf([1, 2], { score: 1 });
      const one = services(1);
      await passGate(run, 1, one);
      await passGate(other, 1, services(2));
      expect(timeless(await readRecords(other.paths, 'gates'))).toEqual(
        timeless(await readRecords(run.paths, 'gates')),
      );
      const before = readFileSync(run.paths.gates);
      expect(await passGate(run, 1, { ...one, signal: AbortSignal.abort() })).toBe('done');
      expect(readFileSync(run.paths.gates)).toEqual(before);
      expect(one.stages).toHaveLength(1);
      await passGate(run, 2, one);
      const [first, second] = timeless(await readRecords(run.paths, 'gates')) as GateRecord[];
      // The same two networks play from other openings.
      expect({ ...second, generation: 1 }).not.toEqual(first);
    },
  );

  test('does not begin after the signal or in a run without a gate', async () => {
    const run = await runOf([1, 2], {});
    const ending = services(1, AbortSignal.abort());
    expect(await passGate(run, 1, ending)).toBe('stopped');
    const without = { ...run, config: RunConfig.parse({ ...run.config, gate: {} }) };
    const going = services(1);
    expect(await passGate(without, 1, going)).toBe('done');
    expect(await passGate(without, 1, ending)).toBe('done');
    expect([...ending.stages, ...going.stages]).toEqual([]);
    expect(await readRecords(run.paths, 'gates')).toEqual([]);
    expect(await findPlayingGeneration(without, 5)).toBe(5);
  });

  test('that is missing is damage, except for the newest generation, which may not have played yet', async () => {
    const run = await runOf([1, 2, 3], {});
    const problemsOfRun = async (): Promise<readonly string[]> => {
      const { problems } = await verify(run.paths.folder, { deep: false });
      return problems.filter(({ path }) => path === run.paths.gates).map(({ message }) => message);
    };
    expect((await problemsOfRun()).join()).toContain(`generation 1 has no line in ${run.paths.gates}`);
    await writeRecord(run.paths, 'gates', gateRecord(1, { passed: true, score: 1 }));
    expect(await problemsOfRun()).toEqual([]);
    // An altered line.
    writeFileSync(run.paths.gates, readFileSync(run.paths.gates, 'utf8').replace('"score":1', '"score":0'));
    await expect(readRecords(run.paths, 'gates')).rejects.toMatchObject({ code: 'run-damaged' });
    const { problems } = await verify(run.paths.folder, { deep: false });
    expect(problems.map(({ path }) => path)).toContain(run.paths.gates);
  });

  test('that is missing together with its network cannot be played', async () => {
    const run = await runOf([1, 2], {});
    await expect(findPlayingGeneration(run, 1)).rejects.toMatchObject({ code: 'run-damaged' });
    rmSync(run.paths.checkpoint(1), { recursive: true });
    await expect(passGate(run, 1, services(1))).rejects.toMatchObject({ code: 'run-damaged' });
  });
});
